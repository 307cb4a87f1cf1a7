"""``biofact literature train``: from labels and a review's features to a model that a review can use."""

import json

import pytest

from biofact.core.usage import WrongUsage
from biofact.interfaces.cli import app as cli
from tests.extras import needs

pytestmark = pytest.mark.extras

needs.scikit_learn()


@pytest.fixture(autouse=True)
def places(monkeypatch, tmp_path):
    """A working folder, and one for models."""
    monkeypatch.setenv("BIOFACT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("NCBI_API_KEY", "made-up")
    monkeypatch.chdir(tmp_path)
    size = [(number, "randomized controlled trial" if number % 2 else "case report") for number in range(1, 41)]
    rows = "".join(f"PMID:{number},{kind},{number * 10 if number % 2 else 1}\n" for number, kind in size)
    (tmp_path / "features.csv").write_text("item_id,feature:study_type,feature:sample_size\n" + rows)
    labels = "".join(f"{number},{'include' if number % 2 else 'exclude'}\n" for number in range(1, 43))
    (tmp_path / "labels.csv").write_text("pmid,label\n" + labels)


def test_a_model_is_trained_reported_and_kept(capsys, tmp_path):
    code = cli.run(["literature", "train", "mine", "--labels", "labels.csv", "--features", "features.csv"])

    out, err = capsys.readouterr()
    report = json.loads(out)
    assert code == 0
    assert (report["included"], report["excluded"], report["auc"]) == (20, 20, 1.0)
    assert report["file"] == str(tmp_path / "cache" / "models" / "mine.skops")
    assert [path.name for path in (tmp_path / "cache" / "models").iterdir()] == ["mine.skops"]
    assert err == "note: 2 labelled articles have no features and were left out: 41, 42.\n"


def test_too_few_labels_are_refused(capsys, tmp_path):
    (tmp_path / "labels.csv").write_text("pmid,label\n1,include\n2,exclude\n")

    with pytest.raises(WrongUsage, match="training needs at least 5 of each"):
        cli.run(["literature", "train", "mine", "--labels", "labels.csv", "--features", "features.csv"])


def test_labelled_articles_without_features_are_fetched_and_read(capsys, tmp_path):
    included = ["11832527", "9742977", "33301246", "32678530", "23121403"]
    excluded = ["31978945", "28117445", "30617339", "31460832", "36812645"]
    lines = [f"{pmid},include" for pmid in included] + [f"{pmid},exclude" for pmid in excluded]
    (tmp_path / "labels.csv").write_text("\n".join(["pmid,label", *lines]))
    code = cli.run(["literature", "train", "mine", "--labels", "labels.csv", "--sandbox"])

    report = json.loads(capsys.readouterr().out)
    assert code == 0
    assert report["articles"] == 10
    assert "study_type" in report["features"]
