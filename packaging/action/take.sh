#!/usr/bin/env bash
# Takes the program from a release, if its checksum is right; says `taken=true` then. Without it the action builds.
# In: ACTION_REPOSITORY, TAG, TARGET, GITHUB_SERVER_URL, RUNNER_TEMP. Out: GITHUB_OUTPUT, $RUNNER_TEMP/treaty/bin.
set -euo pipefail

name="treaty-$TARGET.tar.gz"
work=$(mktemp -d)
cd "$work"
for file in "$name" "$name.sha256"; do
    address="$GITHUB_SERVER_URL/$ACTION_REPOSITORY/releases/download/$TAG/$file"
    if ! curl --proto '=https' --fail --silent --show-error --location --retry 3 --output "$file" "$address"; then
        echo "::notice title=treaty::$TAG has no $file: treaty is built from its source"
        exit 0
    fi
done
check() { if command -v sha256sum >/dev/null; then sha256sum --check --status "$1"; else shasum -a 256 --check --status "$1"; fi; }
if ! check "$name.sha256"; then
    echo "::error title=treaty::$name of $TAG is not what its checksum says"
    exit 1
fi
tar -xzf "$name"
mkdir -p "$RUNNER_TEMP/treaty/bin"
cp "treaty-$TARGET"/treaty* "$RUNNER_TEMP/treaty/bin/"
echo "taken=true" >> "$GITHUB_OUTPUT"
