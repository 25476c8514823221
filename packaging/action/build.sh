#!/usr/bin/env bash
# Builds the scanner with a toolchain of its own: neither `rust-toolchain.toml` nor `.cargo` of the project that is checked counts.
# In: ACTION_PATH, RUNNER_TEMP. Out: $RUNNER_TEMP/treaty/bin.
set -euo pipefail

cd "$ACTION_PATH"
toolchain=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
if ! command -v rustup >/dev/null; then
    echo "::error title=treaty::this runner has no rustup, and no release has a program for it"
    exit 1
fi
rustup toolchain install "$toolchain" --profile minimal --no-self-update
export RUSTUP_TOOLCHAIN="$toolchain"
cargo install --locked --no-default-features --path . --root "$RUNNER_TEMP/treaty" --target-dir "$RUNNER_TEMP/treaty-target"
