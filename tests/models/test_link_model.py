"""link_model: the weights move to what pays, and only when there is something to learn from."""

from __future__ import annotations

import json

import numpy as np

from models.link_model import LinkModel


def taught(model: LinkModel, links: int, low: float = 0.05) -> LinkModel:
    dice = np.random.default_rng(1)
    for _ in range(links):
        features = np.append(1.0, dice.normal(size=2))
        model.add(features[None], [0.95 if features[1] > 0 else low])
    model.refit()
    return model


def test_what_pays_gains_weight() -> None:
    model = taught(LinkModel(np.array([-1.0, 0.3, 0.3])), 200)
    assert model.weights[1] > 1.0 and abs(model.weights[2]) < 0.3
    assert model.score(np.array([[1.0, 1.0, 0.0]])) > model.score(np.array([[1.0, -1.0, 0.0]]))


def test_a_judge_that_calls_everything_relevant_teaches_nothing() -> None:
    model = taught(LinkModel(np.array([-1.0, 0.3, 0.3])), 200, low=0.9)
    assert model.weights.tolist() == [-1.0, 0.3, 0.3]


def test_the_clearest_evidence_does_not_lead_far_away() -> None:
    model = LinkModel(np.array([-1.0, 0.3, 0.3]))
    for _ in range(100):
        model.add(np.array([[1.0, 3.0, 0.0], [1.0, -3.0, 0.0]]), [1.0, 0.0])
        model.refit()
    assert np.abs(model.weights).max() < 5.0


def test_old_links_are_forgotten() -> None:
    model = taught(LinkModel(np.array([-1.0, 0.3, 0.3]), most=50), 500)
    assert model.links == 500 and model.weights[1] > 0.5


def test_it_survives_as_json() -> None:
    model, twin = taught(LinkModel(np.zeros(3), most=50), 70), LinkModel(np.zeros(3), most=50)
    twin.restore(json.loads(json.dumps(model.saved())))
    assert taught(twin, 9).weights.tolist() == taught(model, 9).weights.tolist()
