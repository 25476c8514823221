#!/usr/bin/env python3
"""Builds what is installed without a compiler: an archive with the program, a wheel, and packages for npm.

Needs a Rust toolchain, maturin (`pip install "maturin>=1.9,<2"`) for the wheel and npm for its packages. `packaging/build.py --out dist`
makes all of them for this system; `--target` names another one, `--profile` and `--no-default-features` are those of cargo.
"""
import argparse
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Targets of Rust, and what npm calls their systems and processors.
TARGETS = {
    "aarch64-apple-darwin": ("darwin", "arm64"),
    "x86_64-apple-darwin": ("darwin", "x64"),
    "aarch64-unknown-linux-gnu": ("linux", "arm64"),
    "x86_64-unknown-linux-gnu": ("linux", "x64"),
    "x86_64-pc-windows-msvc": ("win32", "x64"),
}
LICENCES = ["LICENSE-MIT", "LICENSE-APACHE"]


def run(*command, cwd=ROOT):
    subprocess.run([str(it) for it in command], cwd=cwd, check=True)


def version():
    lines = (ROOT / "Cargo.toml").read_text().splitlines()
    return next(line for line in lines if line.startswith("version = ")).split('"')[1]


def host():
    lines = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout.splitlines()
    return next(line for line in lines if line.startswith("host: ")).split()[1]


def wheel(options, out):
    """Builds the program and the wheel, and returns where the program lies."""
    command = ["maturin", "build", "--locked", "--profile", options.profile, "--out", out]
    command += ["--no-default-features"] if options.no_default_features else []
    command += ["--target", options.target] if options.target != host() else []
    # Where the settings of the wheel are.
    run(*command, cwd=ROOT / "packaging" / "python")
    folder = {"dev": "debug"}.get(options.profile, options.profile)
    built = ROOT / "target" / (options.target if options.target != host() else "") / folder
    return built / ("treaty.exe" if "windows" in options.target else "treaty")


def archive(options, program, out):
    """`treaty-x86_64-unknown-linux-gnu.tar.gz` with a file beside it that has its checksum."""
    name = f"treaty-{options.target}"
    path = out / f"{name}.tar.gz"
    with tarfile.open(path, "w:gz") as made:
        for file in [program, *(ROOT / it for it in LICENCES), ROOT / "README.md"]:
            made.add(file, f"{name}/{file.name}")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    (out / f"{path.name}.sha256").write_text(f"{digest}  {path.name}\n")


def npm(options, program, out):
    """The package with the program for one system, and the one that people install, which takes it."""
    system, processor = TARGETS[options.target]
    main = json.loads((ROOT / "packaging" / "npm" / "package.json").read_text())
    with tempfile.TemporaryDirectory() as work:
        inner = pathlib.Path(work) / "inner"
        (inner / "bin").mkdir(parents=True)
        shutil.copy(program, inner / "bin" / program.name)
        (inner / "bin" / program.name).chmod(0o755)
        told = {
            "name": f"treaty-scan-{system}-{processor}",
            "version": version(),
            "description": f"The program of treaty-scan for {system} on {processor}",
            "license": main["license"],
            "os": [system],
            "cpu": [processor],
            "files": ["bin", *LICENCES],
        }
        (inner / "package.json").write_text(json.dumps(told, indent=2) + "\n")
        outer = pathlib.Path(work) / "outer"
        shutil.copytree(ROOT / "packaging" / "npm", outer)
        main["version"] = version()
        main["optionalDependencies"] = {it: version() for it in main["optionalDependencies"]}
        (outer / "package.json").write_text(json.dumps(main, indent=2) + "\n")
        shutil.copy(ROOT / "README.md", outer)
        for folder in [inner, outer]:
            for licence in LICENCES:
                shutil.copy(ROOT / licence, folder)
            run(shutil.which("npm"), "pack", "--silent", "--pack-destination", out, cwd=folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "dist", help="folder to write to [dist]")
    parser.add_argument("--target", default=host(), choices=sorted(TARGETS), help="target of Rust [this system]")
    parser.add_argument("--profile", default="dist", help="profile of cargo [dist]")
    parser.add_argument("--no-default-features", action="store_true", help="the scanner alone")
    options = parser.parse_args()
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    program = wheel(options, out)
    if not program.is_file():
        sys.exit(f"{program} was not built")
    archive(options, program, out)
    npm(options, program, out)
    print("\n".join(sorted(it.name for it in out.iterdir())))


if __name__ == "__main__":
    main()
