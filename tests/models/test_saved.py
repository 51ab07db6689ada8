from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models import saved
from models.model import ModelFileError
from models.saved import MANIFEST, Saved, read, write

ROOT = Path(__file__).parents[2]
TRAINING = {"data_hash": "abc", "metrics": {"f": 0.9}}


def model(number: int = 1) -> Saved:
    arrays = {"terms": np.array(["bike", "rad", "自転車"]), "weights": np.array([0.1, -2.5, number])}
    return Saved("naive_bayes", {"labels": ["other", "relevant"], "threshold": 0.5}, arrays)


def arrays_file(folder: Path) -> Path:
    (path,) = folder.glob("*.npz")
    return path


def edit(folder: Path, **changes: Any) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps(manifest | changes))


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    write(tmp_path / "model", model(), TRAINING)
    found, training = read(tmp_path / "model")
    assert (found.kind, found.facts, training) == ("naive_bayes", model().facts, TRAINING)
    assert list(found.arrays) == ["terms", "weights"]
    for name, array in model().arrays.items():
        assert found.arrays[name].tolist() == array.tolist()


@settings(deadline=None)
@given(st.lists(st.floats(), max_size=20))
def test_numbers_come_back_to_the_last_bit(numbers: list[float]) -> None:
    given_numbers = np.array(numbers, np.float64)
    packed = saved._packed({"numbers": given_numbers})
    assert np.load(io.BytesIO(packed), allow_pickle=False)["numbers"].tobytes() == given_numbers.tobytes()
    assert packed == saved._packed({"numbers": given_numbers})


def test_the_manifest_says_what_a_reader_needs(tmp_path: Path) -> None:
    write(tmp_path, model(), TRAINING)
    manifest = json.loads((tmp_path / MANIFEST).read_text())
    assert (manifest["kind"], manifest["format"], manifest["training"]) == ("naive_bayes", saved.FORMAT, TRAINING)
    assert set(manifest["libraries"]) == {"numpy", "scipy", "scikit-learn"}


def test_a_new_model_takes_the_place_of_the_old_and_leaves_nothing_of_it(tmp_path: Path) -> None:
    write(tmp_path, model(1), {})
    write(tmp_path, model(2), {})
    assert read(tmp_path)[0].arrays["weights"][2] == 2
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("step", [0, 1])
def test_a_writer_that_dies_leaves_the_old_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    write(tmp_path, model(1), {})
    replace, steps = saved._replace, iter([True, True][:step])

    def dying(path: Path, content: bytes) -> None:
        next(steps, None) or sys.exit("killed")
        replace(path, content)

    monkeypatch.setattr(saved, "_replace", dying)
    with pytest.raises(SystemExit):
        write(tmp_path, model(2), {})
    assert read(tmp_path)[0].arrays["weights"][2] == 1


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"There is no trained model in .*nowhere: train one first"):
        read(tmp_path / "nowhere")


def test_another_format_is_refused(tmp_path: Path) -> None:
    write(tmp_path, model(), {})
    edit(tmp_path, format=99)
    with pytest.raises(ModelFileError, match="has format 99, this version reads 1: train the model again"):
        read(tmp_path)


@pytest.mark.parametrize("content", [b"", b"garbage", b"\xff\xfe\x00", b"[1, 2]", b'{"format": 1, "kind": "svm"}'])
def test_a_broken_manifest_is_refused(tmp_path: Path, content: bytes) -> None:
    write(tmp_path, model(), {})
    (tmp_path / MANIFEST).write_bytes(content)
    with pytest.raises(ModelFileError, match="train the model again"):
        read(tmp_path)


def test_changed_cut_and_missing_arrays_are_refused(tmp_path: Path) -> None:
    write(tmp_path, model(), {})
    path = arrays_file(tmp_path)
    whole = path.read_bytes()
    for broken in (whole[:-10], whole[:50] + bytes([whole[50] ^ 1]) + whole[51:], b""):
        path.write_bytes(broken)
        with pytest.raises(ModelFileError, match="was changed or is not whole"):
            read(tmp_path)
    path.unlink()
    with pytest.raises(ModelFileError, match="cannot be read"):
        read(tmp_path)


@pytest.mark.parametrize("content", [b"garbage", b"PK\x03\x04 no zip", b"\x93NUMPY\x01\x00v\x00"])
def test_garbage_with_a_fitting_hash_is_refused(tmp_path: Path, content: bytes) -> None:
    write(tmp_path, model(), {})
    arrays_file(tmp_path).write_bytes(content)
    edit(tmp_path, arrays={"file": arrays_file(tmp_path).name, "sha256": hashlib.sha256(content).hexdigest()})
    with pytest.raises(ModelFileError, match="holds no arrays"):
        read(tmp_path)


def test_objects_are_neither_written_nor_read(tmp_path: Path) -> None:
    objects = np.array([{"a": 1}], dtype=object)
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        write(tmp_path, Saved("svm", {}, {"bad": objects}), {})
    write(tmp_path, model(), {})
    np.savez(tmp_path / "evil.npz", bad=objects)
    digest = hashlib.sha256((tmp_path / "evil.npz").read_bytes()).hexdigest()
    edit(tmp_path, arrays={"file": "evil.npz", "sha256": digest})
    with pytest.raises(ModelFileError, match="holds no arrays"):
        read(tmp_path)


def test_a_manifest_cannot_name_a_file_elsewhere(tmp_path: Path) -> None:
    write(tmp_path / "model", model(), {})
    path = arrays_file(tmp_path / "model")
    path.rename(tmp_path / "away.npz")
    edit(tmp_path / "model", arrays={"file": "../away.npz", "sha256": hashlib.sha256(b"").hexdigest()})
    with pytest.raises(ModelFileError, match=r"model/away\.npz cannot be read"):
        read(tmp_path / "model")


def test_a_model_of_another_kind_or_with_missing_parts_is_refused() -> None:
    with pytest.raises(ModelFileError, match="of kind 'naive_bayes', not 'svm'"):
        model().require("svm", (), ())
    with pytest.raises(ModelFileError, match="lacks good, counts"):
        model().require("naive_bayes", ("labels", "good"), ("terms", "counts"))


def test_nothing_is_pickled_or_unpickled(tmp_path: Path) -> None:
    """An audit hook sees every class that a pickle would load; a broken pickle module sees every dump."""
    code = """
import sys, pickle
def forbid(event, args):
    if event.startswith("pickle."): raise RuntimeError(event)
sys.addaudithook(forbid)
import numpy as np
pickle.dump = pickle.dumps = pickle.load = pickle.loads = None
from pathlib import Path
from models.saved import Saved, read, write
folder = Path(sys.argv[1])
write(folder, Saved("svm", {"a": 1}, {"terms": np.array(["x"]), "w": np.zeros(3)}), {})
print(read(folder)[0].facts)
try:
    import _pickle
    _pickle.loads(b"cbuiltins\\nprint\\n.")
except RuntimeError as error: print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, timeout=280
    )
    assert done.stdout.splitlines() == ["{'a': 1}", "pickle.find_class"], done.stderr
