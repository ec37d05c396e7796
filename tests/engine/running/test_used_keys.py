"""Keys of `--metadata`: what a task uses, and the refusal of all that would change nothing."""

from __future__ import annotations

import ast
import inspect
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds import benchmark, harness, index, keys, manifest
from otherminds.data import loading
from otherminds.errors import OtherMindsError
from otherminds.publishing import doc_tables
from otherminds.running import used_keys
from otherminds.running.models import Options
from otherminds.running.run import run
from otherminds.running.stages import before
from tests.conftest import ROOT, Command

TASK = "hugagent_bdu_synthetic"

# Arguments of vLLM's engine, as `--model vllm --model_args …` takes them.
OF_VLLM = {
    "tensor_parallel_size": 2,
    "data_parallel_size": 1,
    "gpu_memory_utilization": 0.9,
    "max_model_len": 4096,
    "dtype": "auto",
    "seed": 3,
    "revision": "main",
    "tokenizer_revision": "main",
    "trust_remote_code": True,
    "swap_space": 4,
}

OTHERS = (
    *("code_revision", "data_parallel_rank", "data_parallel_address", "priority", "max_num_seqs"),
    *("enforce_eager", "download_dir", "load_format", "quantization", "prefix_token_id", "peft"),
    *("context_len", "context_length", "max_length", "batch_size", "think_end_token", "sampler"),
    *("base_url", "num_concurrent", "tokenizer_backend", "parallelize", "offload_folder", "device"),
)


def by_plain_lm_eval(*words: str) -> dict[str, Any]:
    """What plain `lm_eval run WORDS` does with our tasks; it would index thousands of others too."""
    from lm_eval import simple_evaluate
    from lm_eval._cli import HarnessCLI
    from lm_eval.config.evaluate_config import EvaluatorConfig
    from lm_eval.models.dummy import DummyLM

    class Dummy(DummyLM):
        # The other one's is a download, which lm-eval makes to name it in the results.
        tokenizer = None

    namespace = HarnessCLI()._parser.parse_args(["run", "--model", "dummy", *words])
    arguments = EvaluatorConfig.from_cli(namespace)
    manager = harness.task_manager(arguments.metadata)
    found = simple_evaluate(
        model=Dummy(),
        tasks=list(arguments.tasks),
        task_manager=manager,
        limit=2,
        bootstrap_iters=0,
        metadata=arguments.metadata,
    )
    assert found is not None
    return dict(found)


def test_plain_lm_eval_runs_with_ten_arguments_of_an_engine_among_the_keys(cache: Path) -> None:
    subset = json.dumps({"data_subset": 50, **OF_VLLM})
    found = by_plain_lm_eval("--tasks", TASK, "--metadata", subset)
    assert found["n-samples"][TASK]["original"] < manifest.load("hugagent-synthetic").rows
    # As arguments of a model, they arrive in the same place.
    words = (f"{name}={value}" for name, value in OF_VLLM.items())
    arguments = harness.parse_arguments(["--model_args", ",".join(words)], default_model="vllm")
    assert OF_VLLM.keys() <= arguments.metadata.keys()
    assert used_keys.refuse_unused(harness.task_manager(), [TASK], arguments) == []


@pytest.mark.parametrize(
    ("task", "slip", "meant"),
    [
        (TASK, "data_subst", "data_subset"),
        ("trust_game_population", "endowmnt", "endowment"),
        ("socialmindchange_codes_render", "data_sorce", "data_source"),
        ("debate_title_filter", "datasource", "data_source"),
    ],
)
def test_plain_lm_eval_is_told_of_a_slip(task: str, slip: str, meant: str, cache: Path) -> None:
    with pytest.raises(OtherMindsError, match=f"'{slip}'.*Did you mean '{meant}'"):
        by_plain_lm_eval("--tasks", task, "--metadata", f"{slip}=5")


def arguments_of_models() -> set[str]:
    """The names of all arguments of lm-eval's own models, read from source: few can be imported."""
    import lm_eval.models

    [folder] = lm_eval.models.__path__
    found: set[str] = set()
    for path in Path(folder).glob("*.py"):
        for made in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(made, ast.FunctionDef) and made.name == "__init__":
                signature = made.args
                every = (*signature.posonlyargs, *signature.args, *signature.kwonlyargs)
                found |= {one.arg for one in every}
    return found


def test_no_argument_of_any_model_of_lm_eval_is_taken_for_a_slip() -> None:
    found = arguments_of_models()
    # Of hf, vllm, sglang and servers.
    assert {"pretrained", "tensor_parallel_size", "mem_fraction_static", "base_url"} <= found
    for key in keys.known():
        keys.refuse_slips(found, {key})
    keys.refuse_slips(found, keys.known())


@pytest.mark.parametrize(
    "name", ["sample", "sampler", "persona", "fraction", "priors", "print", "priority"]
)
def test_a_word_of_its_own_is_no_slip(name: str) -> None:
    keys.refuse_slips([name], keys.known())


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("dtaa_subset", "data_subset"),
        ("dta_sorce", "data_source"),
        ("pirsonas", "personas"),
        ("priro", "prior"),
    ],
)
def test_letters_that_are_wrong_or_changed_places_are_slips(slip: str, meant: str) -> None:
    with pytest.raises(OtherMindsError, match=f"Did you mean '{meant}'"):
        keys.refuse_slips([slip], keys.known())


def test_no_argument_of_a_model_and_no_name_in_a_yaml_is_taken_for_a_slip() -> None:
    from_yaml = {
        name
        for entry in index.entries().values()
        for part in ("metadata", "dataset_kwargs")
        for name in (entry.content.get(part) or {})
    }
    assert {"version", "stages", "configs"} <= from_yaml
    keys.refuse_slips({*OF_VLLM, *OTHERS, *from_yaml}, keys.known())


@given(st.sampled_from(sorted(keys.known())), st.data())
def test_a_key_with_a_letter_too_few_or_too_many_is_a_slip(name: str, data: Any) -> None:
    place = data.draw(st.integers(0, len(name) - 1))
    slips = {name[:place] + name[place + 1 :], name[:place] + "x" + name[place:]}
    for slip in slips - keys.known().keys() - {name.removesuffix("s")}:
        with pytest.raises(OtherMindsError, match="Did you mean"):
            keys.refuse_slips([slip], keys.known())


REFUSED = {
    "slip": ("data_subst=50", "Unknown --metadata key 'data_subst'. Did you mean 'data_subset'?"),
    "as JSON": ('{"data_subst": 50}', "Did you mean 'data_subset'?"),
    "unknown": ("topic=zoning", "Unknown --metadata key 'topic'."),
    "of the YAML": ("evidence=context5", "Unknown --metadata key 'evidence'."),
    "of another task": ("context_k=3", f"{TASK} does not use the key 'context_k'"),
    "of another benchmark": (
        "endowment=44",
        "give one of: data_source, data_revision, data_subset",
    ),
    "of the other track": ("mask_source=true", "does not use the key 'mask_source'"),
    "of another type": ("data_subset=half", "data_subset is 'half' in --metadata: give a whole"),
    "a truth for a number": ('{"data_subset": true}', "give a whole number"),
}


@pytest.mark.parametrize("command", ["run", "show"])
@pytest.mark.parametrize("case", REFUSED)
def test_a_key_that_would_change_nothing_is_refused_in_one_line(
    case: str, command: str, tmp_path: Path, cache: Path
) -> None:
    given, message = REFUSED[case]
    with pytest.raises(OtherMindsError) as caught:
        if command == "run":
            run([TASK], ["--metadata", given, "--output_path", str(tmp_path)], Options())
        else:
            from otherminds.cli import showing

            showing.print_named(TASK, 0, harness.read_metadata(given))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["data_subset=50,context_k=3", '{"data_subset":50,"context_k":3}'])
def test_keys_are_read_as_lm_eval_reads_them(text: str) -> None:
    assert harness.read_metadata(text) == {"data_subset": 50, "context_k": 3}


def test_a_run_takes_keys_without_json(tmp_path: Path, cache: Path) -> None:
    flags = ("--metadata", "data_subset=50", "--limit", "2", "--output_path", str(tmp_path))
    found = run([TASK], flags, Options())
    assert found is not None
    assert found.results["configs"][TASK]["metadata"]["data_subset"] == 50


def test_of_several_tasks_a_key_may_concern_some_and_the_run_says_which() -> None:
    manager = harness.task_manager()
    tasks = ["hugagent_synthetic", "hugagent_random_context_synthetic", "hugagent_rag_synthetic"]
    [note] = used_keys.check(manager, tasks, {"data_subset": 50, "context_k": 3})
    assert note == "context_k concerns hugagent_random_context_synthetic of these tasks alone."


def test_tasks_of_others_may_take_any_key_but_slips(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        "task: mine\ndataset_path: json\noutput_type: generate_until\nmetadata: {version: 1.0}\n"
    )
    manager = harness.task_manager(include=str(tmp_path))
    assert used_keys.check(manager, ["mine", TASK], {"anything": 1}) == []
    with pytest.raises(OtherMindsError, match="data_subset"):
        used_keys.check(manager, ["mine"], {"data_subst": 1})


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--num_fewshot", "5"), "--num_fewshot 5 would change nothing"),
        (("--fewshot_as_multiturn", "--apply_chat_template"), "would change nothing"),
        (("--confirm_run_unsafe_code",), "would change nothing"),
        (("--write_out",), "otherminds show TASK"),
        (("--verbosity", "INFO"), "--debug"),
    ],
)
def test_flags_of_lm_eval_that_would_do_nothing_are_refused(
    flags: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    with pytest.raises(OtherMindsError, match=message) as caught:
        run([TASK], [*flags, "--output_path", str(tmp_path)], Options())
    assert "\n" not in str(caught.value)


def test_a_configuration_file_gets_the_same_checks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.yaml"
    for line, message in (
        ("num_fewshot: 5", "--num_fewshot 5"),
        ("metadata: {data_subst: 50}", "Did you mean 'data_subset'"),
        (
            "apply_chat_template: true\nfewshot_as_multiturn: true",
            "--fewshot_as_multiturn would change nothing",
        ),
        ("limit: -3", "--limit must be a number of documents"),
        ("limit: some", "--limit must be a number of documents"),
        ("confirm_run_unsafe_code: true", "--confirm_run_unsafe_code would change nothing"),
    ):
        path.write_text(f"model: random\noutput_path: {tmp_path}/out\n{line}\n")
        with pytest.raises(OtherMindsError, match=message):
            run([TASK], ["--config", str(path)], Options())
    # lm-eval sets the other one by itself.
    path.write_text(f"model: random\noutput_path: {tmp_path}/out\napply_chat_template: true\n")
    read = harness.parse_arguments(["--config", str(path)], default_model="random")
    assert read.fewshot_as_multiturn
    # A name is not taken for its letters, and what was read is not printed.
    path.write_text("model: random\ntasks: one, two\n")
    read = harness.parse_arguments(["--config", str(path)], default_model="random")
    assert read.tasks == ["one", "two"]
    assert capsys.readouterr().out == ""


# What is declared


def tasks() -> list[str]:
    return [name for name, entry in index.entries().items() if entry.kind == "task"]


def test_every_key_is_used_by_a_task_says_what_it_chooses_and_fits_its_default() -> None:
    manager = harness.task_manager()
    used = {name for task in tasks() for name in used_keys.of_task(manager, task) or {}}
    # The key of constructions is used where a benchmark brings a pipeline with tasks.
    assert used | keys.WRITING.keys() == keys.known().keys()
    for one in benchmark.every():
        for name, key in one.keys.items():
            assert key.meaning, name
            if isinstance(key.values, tuple):
                assert key.default in key.values
        parameters = {p for a in one.known_ablations.values() for p in a.parameters}
        assert {*one.switches, *parameters} <= one.keys.keys()


def test_the_defaults_are_those_of_the_functions() -> None:
    seen = set()
    for task in tasks():
        config = harness.task_config(task)
        assert config is not None
        one = benchmark.of_dataset(config["dataset_kwargs"]["dataset"])
        for name, parameter in inspect.signature(config["custom_dataset"]).parameters.items():
            if name in one.keys and parameter.default is not None:
                assert one.keys[name].default == str(parameter.default).removesuffix(".0").lower()
                seen.add(name)
    assert {"endowment", "fractions", "personas", "given_form", "judge_rules", "prior"} <= seen


def test_a_task_uses_what_its_stages_use() -> None:
    manager = harness.task_manager()
    for task in ("synchtom_shuffled_judge", "trust_game_imposed_08", "hugagent_reflections"):
        found = used_keys.of_task(manager, task) or {}
        assert "samples" in found
        for stage in before(manager, [task]):
            assert (used_keys.of_task(manager, stage) or {}).keys() <= found.keys()
    assert "derangement_seed" not in (used_keys.of_task(manager, "synchtom_judge") or {})


def test_a_task_shows_the_default_that_its_yaml_sets() -> None:
    found = used_keys.of_task(harness.task_manager(), "hugagent_random_context_synthetic") or {}
    assert (found["context_k"].default, found["context_seed"].default) == ("5", "0")


def test_a_subset_is_offered_where_the_data_have_one(cache: Path) -> None:
    manager = harness.task_manager()
    offered = (used_keys.of_task(manager, "debate_both_synthetic") or {})["data_subset"]
    columns = loading.load("debate-beliefs-synthetic", "beliefs")["test"].column_names
    assert offered.meaning.endswith("so many people: 100")
    assert "in_subset_100" in columns
    for task in ("hugagent_bdu", "debate_both", "trust_game_population", "socialmindchange_codes"):
        assert "data_subset" not in (used_keys.of_task(manager, task) or {})


@pytest.mark.parametrize(
    ("task", "given"),
    [
        ("trust_game_population", {"endowment": 44}),
        ("trust_game_population", {"order_seed": 1}),
        ("trust_game_population", {"personas": "validation"}),
        ("hugagent_random_context_synthetic", {"data_subset": 50, "context_seed": 1}),
        ("debate_cross_category_synthetic", {"data_subset": 100, "shown_category": "Religion"}),
    ],
)
def test_a_key_that_a_task_is_said_to_use_changes_its_documents(
    task: str, given: dict[str, Any], cache: Path
) -> None:
    assert given.keys() <= (used_keys.of_task(harness.task_manager(), task) or {}).keys()
    rest = {"data_subset": given["data_subset"]} if "data_subset" in given else {}
    plain, changed = (harness.documents(task, one)["test"] for one in (rest, given))
    assert plain.to_list() != changed.to_list()


def test_commands_of_a_benchmark_refuse_keys_too(command: Command, tmp_path: Path) -> None:
    words = ("otherminds", "baselines", TASK, "--metadata", "data_subst=50")
    assert "Did you mean 'data_subset'" in command(*words, cwd=tmp_path, code=1).stderr
    words = ("otherminds", "identity", "hugagent_synthetic", "--metadata", "data_subst=50")
    assert "Did you mean 'data_subset'" in command(*words, cwd=tmp_path, code=1).stderr


def documented() -> list[tuple[str, str, str]]:
    """The page, tasks and `--metadata` of the commands in the documentation."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    command = re.compile(
        r"otherminds (?:run|show|baselines|identity) ([a-z_0-9]+(?:[ ,][a-z_0-9]+)*)"
        r"[^`\n]*(?:\\\n[^`\n]*)?--metadata (?:'([^']+)'|([a-z_]+=[^\s`]+))"
    )
    return [
        (page.name, found[1].strip(), found[2] or found[3])
        for page in pages
        for found in command.finditer(page.read_text(encoding="utf-8"))
    ]


def test_the_keys_in_the_documentation_are_those_of_its_tasks() -> None:
    manager = harness.task_manager()
    found = documented()
    assert len(found) >= 10
    for page, names, text in found:
        tasks = [t for name in re.split(r"[ ,]+", names) for t in index.tasks_of(name)]
        assert tasks, (page, names)
        used_keys.check(manager, tasks, harness.read_metadata(text))


def test_the_pages_list_the_keys_as_they_are_declared() -> None:
    listed = set()
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        for dataset in re.findall(r"<!-- (\S+) keys -->", text):
            assert doc_tables.fill(text, manifest.load(dataset)) == text, page.name
            rows = text.partition(f"<!-- {dataset} keys -->")[2].partition("<!-- /keys -->")[0]
            one = benchmark.of_dataset(dataset)
            assert one.keys.keys() <= set(re.findall(r"^\| `(\w+)` \|", rows, re.MULTILINE))
            listed.add(one.name)
    assert listed == {one.name for one in benchmark.every()}


def test_what_the_error_of_unreadable_metadata_advises_is_read() -> None:
    with pytest.raises(OtherMindsError, match="--metadata is") as told:
        harness.read_metadata("[1]")
    advised = re.findall(r"`([^`]+)`", str(told.value))
    assert len(advised) == 2
    for text in advised:
        assert harness.read_metadata(text) == {"data_subset": 50}


def test_a_file_of_flags_without_a_model_leaves_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "flags.yaml"
    for text, model, output in (
        ("limit: 3", "majority", "out"),
        ("model: dummy\noutput_path: mine", "dummy", "mine"),
    ):
        path.write_text(text)
        read = harness.parse_arguments(
            ["a_task", "--config", str(path)], default_model="majority", default_output="out"
        )
        assert (read.model, read.output_path) == (model, output)
