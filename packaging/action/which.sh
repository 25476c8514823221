#!/usr/bin/env bash
# Tells the tag whose release holds what this action would build (none where there is no such tag), the target of Rust that this
# runner is, and a hash of the sources.
# In: ACTION_PATH, ACTION_REF, ACTION_REPOSITORY, RUNNER_OS, RUNNER_ARCH, GITHUB_SERVER_URL. Out: GITHUB_OUTPUT.
set -euo pipefail

case "$RUNNER_OS-$RUNNER_ARCH" in
    Linux-X64) target=x86_64-unknown-linux-gnu ;;
    Linux-ARM64) target=aarch64-unknown-linux-gnu ;;
    macOS-X64) target=x86_64-apple-darwin ;;
    macOS-ARM64) target=aarch64-apple-darwin ;;
    Windows-X64) target=x86_64-pc-windows-msvc ;;
    *) target= ;;
esac

# The version of these sources has a release where its tag is the very commit that is used, whether by that tag, by a branch, or by
# its hash.
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$ACTION_PATH/Cargo.toml" | head -n 1)
tag=
if [ -n "$target" ] && [ -n "${ACTION_REPOSITORY:-}" ] && [ -n "${ACTION_REF:-}" ]; then
    # Nobody is there to be asked for a password.
    export GIT_TERMINAL_PROMPT=0
    # Of an annotated tag the commit stands behind `^{}`, which comes later.
    commit_of() {
        { git ls-remote "$GITHUB_SERVER_URL/$ACTION_REPOSITORY" "refs/tags/$1" "refs/tags/$1^{}" "refs/heads/$1" || true; } |
            tail -n 1 | cut -f 1
    }
    released=$(commit_of "v$version")
    used=$(commit_of "$ACTION_REF")
    if [ -n "$released" ] && { [ "$released" = "$used" ] || [ "$released" = "$ACTION_REF" ]; }; then
        tag="v$version"
    fi
fi

hash() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi; }
sources=$(cd "$ACTION_PATH" && find .pre-commit-hooks.yaml Cargo.toml Cargo.lock src rules -type f | LC_ALL=C sort | tr '\n' '\0' | xargs -0 cat | hash | cut -c 1-32)

{
    echo "target=$target"
    echo "tag=$tag"
    echo "sources=$sources"
} >> "$GITHUB_OUTPUT"
