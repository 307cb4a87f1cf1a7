"""The model that learns from labels: its predictions, its report, and the permitted content of its file."""

import importlib
import json
import pickle
import zipfile

import pytest

from biofact.literature.scoring import ScoringCriteria, score
from biofact.literature.scoring import trained_model as learned_module
from tests.extras import needs

pytestmark = pytest.mark.extras

needs.scikit_learn()

skops_io = importlib.import_module("skops.io")
trained_module = learned_module.TrainedModel


class Stranger:
    def __init__(self):
        self.held = 1


def articles(count=60):
    """Trials of many people are included; the other differences have no meaning."""
    features, labels = [], []
    for number in range(count):
        is_trial = number % 3 == 0
        features.append(
            {
                "study_type": "Randomized Controlled Trial" if is_trial else "Case Reports",
                "participant_count": 500 + number if is_trial else 1 + number % 4,
                "statistical_significance": number % 2 == 0,
                "primary_outcome": f"{'mortality' if is_trial else 'course of a rash'} after {number} weeks",
                "keywords": ["heart", "trial"] if is_trial else ["skin"],
            }
        )
        labels.append("include" if is_trial else "exclude")
        if number % 7 == 0:
            del features[-1]["participant_count"]
    return features, labels


@pytest.fixture(scope="module")
def model():
    return learned_module.train(*articles())


def test_included_articles_are_more_probable_than_excluded_ones(model):
    features, labels = articles()
    chances = model.probabilities(features)

    included = [chance for chance, label in zip(chances, labels, strict=True) if label == "include"]
    excluded = [chance for chance, label in zip(chances, labels, strict=True) if label == "exclude"]
    assert 0 <= min(excluded) <= max(excluded) < 0.5 < min(included) <= 1


def test_the_report_states_how_well_unseen_articles_were_classified(model):
    report = model.report

    assert (report.articles, report.included, report.excluded, report.folds) == (60, 20, 40, 5)
    assert report.auc == 1.0
    # All 20 come before the 40 others; 95 % of 20 are 19, which are read with nothing else.
    assert report.precision_at_95_recall == 1.0
    assert report.read_at_95_recall == pytest.approx(19 / 60, abs=1e-4)
    assert report.features == (
        "keywords",
        "participant_count",
        "primary_outcome",
        "statistical_significance",
        "study_type",
    )


def test_labels_without_a_pattern_are_classified_by_chance():
    features, _ = articles(100)
    labels = ["include" if number % 2 else "exclude" for number in range(100)]
    for feature in features:
        feature.pop("statistical_significance")
        feature.pop("primary_outcome")

    assert learned_module.train(features, labels).report.auc < 0.7


def test_training_twice_gives_the_same_probabilities(model):
    features, labels = articles()

    second_model = learned_module.train(features, labels)
    assert second_model.probabilities(features).tolist() == model.probabilities(features).tolist()
    assert second_model.report == model.report


def test_a_saved_model_gives_the_same_probabilities(model, tmp_path):
    features, _ = articles()
    (tmp_path / "model.skops").write_bytes(model.content())

    loaded = trained_module.load(tmp_path / "model.skops")
    assert loaded.probabilities(features).tolist() == model.probabilities(features).tolist()
    assert loaded.report == model.report
    assert loaded.plans == model.plans


def test_articles_unlike_any_before_still_get_a_probability(model):
    strange = [{}, {"study_type": 7, "participant_count": "many", "keywords": None}, {"unknown": ["x"]}]

    assert all(0 <= chance <= 1 for chance in model.probabilities(strange))
    assert model.probabilities([]).tolist() == []


def test_the_totals_of_ml_model_are_its_probabilities(model):
    features, _ = articles()
    criteria = ScoringCriteria(weights={"participant_count": 1.0})

    scores = score(features, criteria, method="ml_model", model=model)
    assert scores.total.tolist() == pytest.approx(model.probabilities(features).tolist(), abs=1e-12)
    assert any("model's probabilities" in message for message in scores.messages)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["include"] * 60, "60 articles are included and 0 excluded"),
        (["include"] * 59, "60 articles and 59 labels"),
        (["perhaps"] * 60, "'perhaps' is not a label"),
    ],
)
def test_labels_that_cannot_teach_are_refused(labels, message):
    with pytest.raises(ValueError, match=message):
        learned_module.train(articles()[0], labels)


def test_articles_without_features_are_refused():
    with pytest.raises(ValueError, match="no features"):
        learned_module.train([{}] * 20, ["include", "exclude"] * 10)


def test_a_pickle_is_never_read(tmp_path):
    path = tmp_path / "model.skops"
    path.write_bytes(pickle.dumps({"format": "biofact scoring model 1"}))

    with pytest.raises(ValueError, match="never read from pickles"):
        trained_module.load(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no model at 'none\.skops'"):
        trained_module.load(tmp_path / "none.skops")


def test_types_that_are_not_of_a_model_are_refused(tmp_path):
    path = tmp_path / "model.skops"
    skops_io.dump({"format": "biofact scoring model 1", "model": Stranger()}, path)

    with pytest.raises(ValueError, match=r"holds types that a model of ours has not: .*Stranger"):
        trained_module.load(path)


@pytest.mark.parametrize("stored", [{"format": "another"}, [1, 2], {"format": "biofact scoring model 1", "model": 1}])
def test_a_file_that_biofact_did_not_train_is_refused(stored, tmp_path):
    path = tmp_path / "model.skops"
    skops_io.dump(stored, path)

    with pytest.raises(ValueError, match="not a model that biofact trained"):
        trained_module.load(path)


@pytest.mark.parametrize("schema", ["{}", "not json", json.dumps({"__class__": "dict", "__module__": "builtins"})])
def test_a_zip_that_is_no_skops_file_is_refused(schema, tmp_path):
    path = tmp_path / "model.skops"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("schema.json", schema)

    with pytest.raises(ValueError, match="cannot be read as a skops file"):
        trained_module.load(path)
