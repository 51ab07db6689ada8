"""The ledger: every worked number of the five papers, and the test that has it from our own classes, or why none has.

`expected/*.json` are the worked examples, one file a paper. A name is a key of such a file, with those of the tables
below it ("B3.L1H5.product"); the first pattern that fits it counts. A test that is named must have the number among its
constants and must not be laxer than 1e-6; that it comes from a real class is for the reader of the test to see. Orders
given by letters are named, too, but tests write them in other ways: only their numbers are looked for.
"""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parent.parent
EXPECTED = {path.stem: json.loads(path.read_text()) for path in sorted(Path(__file__).parent.glob("expected/*.json"))}
EXACT = 1e-6


class LeftOut(str):
    """Why no class of ours gives a number."""


MISPRINT = LeftOut("what the print would give if taken at its word; the specification says what is meant instead")
CHOSEN = LeftOut("the specification chooses otherwise, and so do we")
NOT_YET = LeftOut("not yet in this ledger")

BEST, MEANING, HMM = "papers/test_best_first.py", "papers/test_semantic.py", "papers/test_hmm.py"
XCRAWL, APPRENTICE, HUBS = "papers/test_xcrawl.py", "papers/test_xcrawl_models.py", "papers/test_hubs.py"
SIMPLE, SIMPLE_MODEL = "papers/test_simple.py", "papers/test_simple_models.py"
FOCUS, TAXONOMY = "papers/test_focused_1999.py", "papers/test_focused_1999_models.py"
CRAWLERS, SITES = "papers/test_website.py", "papers/test_website_models.py"
EVALUATE, ORDERINGS = "focused/evaluate", "focused/orderings"

# name → file, then the tests of it; or why there is none
LEDGER: dict[str, dict[str, str | LeftOut]] = {
    "best_first": {
        "B1.idf.*": f"{BEST} test_idf_of_known_and_unknown_terms",
        "B1.page_vector.*": f"{HMM} test_weights_of_a_page_are_those_of_the_vector_space_model",
        "B1.sim_*": f"{BEST} test_similarity_to_the_query",
        "B1.*eq7": f"{BEST} test_best_first_scores_the_links_of_a_page",
        "B2.sim_df.no_path": f"{MEANING} test_ehrig_crawler_sums_over_all_pairs",
        "B2.sim_df.*": f"{MEANING} test_ehrig_similarity_halves_with_every_step",
        "B2.priority_eq8": f"{MEANING} test_ehrig_crawler_sums_over_all_pairs",
        "B2.*_distance*": f"{MEANING} test_pairs_of_words_that_are_near_enough_are_counted",
        "B3.L0H5.product": CHOSEN,  # the same concept: 1
        "B3.*.product": f"{MEANING} test_li_similarity_is_a_product",
        "B3.*.printed_exponent": MISPRINT,
        "B4.term_sims.linux~linux": f"{MEANING} test_the_same_concept_is_similar_by_1_however_shallow",
        "B4.term_sims.*": f"{MEANING} test_li_similarity_is_a_product",
        "B4.ssrm": f"{MEANING} test_ssrm_can_exceed_1",
        "B4.ssrm_clipped": LeftOut("only for a mean with other scores, and SSRM is never mixed with any"),
        "B4.vsm_same_vectors": f"{MEANING} test_the_plain_cosine_of_the_same_vectors_is_less",
        "B5.plain_eq7": f"{MEANING} test_without_synonyms_the_same_page_and_anchor_are_less_similar",
        "B5.*": f"{MEANING} test_synonyms_of_query_and_anchor_count",
        "B6.?_ml": CHOSEN,  # one is added to every cell
        "B6.*": f"{HMM} test_parameters_are_counted_from_sessions",
        "B7.filtered.t?.next": f"{HMM} test_what_is_expected_next",
        "B7.filtered.*": f"{HMM} test_the_normalised_recursion",
        "B7.unnormalised.*.alpha": f"{HMM} test_unnormalised_chances_shrink_with_every_step",
        "B7.unnormalised.*": f"{HMM} test_other_readings_of_the_recursion",
        "B7.*_priorities": f"{HMM} test_other_readings_of_the_recursion",
        "B7.zero_emission_fallback": f"{HMM} test_a_cluster_no_state_shows_leaves_what_was_expected",
        "B7.tie_key.*": f"{HMM} test_of_near_ties_the_better_second_step_wins",
        "B8.hybrid*": f"{HMM} test_hybrids_mix_the_chance_with_similarities",
        "B8.*centroid*": f"{HMM} test_the_centre_is_the_mean_of_the_relevant_pages",
        "B8.fig10.*": f"{HMM} test_the_situation_of_figure_10",
        "B9.max_similarity": f"{EVALUATE}/test_likeness.py test_the_worked_pages",
        "B9.cumulative_*": f"{EVALUATE}/test_curves.py test_the_worked_curves",
        "B9.*": f"{EVALUATE}/test_scores.py test_likeness_gives_the_worked_numbers_of_the_evaluator",
        "B10.*": f"{HMM} test_bic_decides_whether_a_group_is_two",
        "B11.*": f"{HMM} test_the_cluster_of_a_page_is_that_of_its_neighbours",
        "B12.*": f"{BEST} test_importance_of_the_pages_of_a_small_web",
        "B13.*": f"{MEANING} test_mihalcea_takes_the_best_partner_of_each_word",
    },
    "xcrawl": {
        "X1.*_3_decimals": f"{XCRAWL} test_x1_means_of_weights_that_were_rounded_before",
        "X1.*_printed_inputs_matches": f"{XCRAWL} test_x1_means_of_weights_that_were_rounded_before",
        "X1.*_matches": f"{XCRAWL} test_x1_means_as_printed_to_three_digits",
        "X1.order": f"{XCRAWL} test_x2_order_of_the_tokens",
        "X1.*": f"{XCRAWL} test_x1_search_weights_and_harmonic_means",
        "X2.user_token_weight": f"{XCRAWL} test_x1_search_weights_and_harmonic_means",
        "X2.centre_out": f"{XCRAWL} test_x2_order_of_the_tokens",
        "X2.even_list": f"{XCRAWL} test_x2_order_of_the_tokens",
        "X2.*": f"{XCRAWL} test_x2_queries_from_the_centre_outwards",
        "X3.printed_H_over_inlinks_first_step.*": MISPRINT,
        "X3.*_after_1.*": f"{HUBS} test_pinned_hits_after_one_round",
        "X3.literal_unpinned_rejected.*": f"{HUBS} test_pinned_hits_without_pins_for_what_was_rejected",
        "X3.second_run_with_frozen_H.*": f"{HUBS} test_known_hub_keeps_its_score",
        "X3.hubs_min2": f"{XCRAWL} test_x3_hubs_and_their_scores",
        "X3.*": f"{HUBS} test_pinned_hits_until_nothing_changes",
        "X4.init.*": f"{XCRAWL} test_x4_weights_at_the_beginning",
        "X4.pagerank.*": f"{XCRAWL} test_x4_propagated_weights_after_25_rounds",
        "X4.pagerank_converged.*": f"{XCRAWL} test_x4_propagated_weights",
        "X4.iterations*": f"{HUBS} test_rounds_until_weights_are_settled",
        "X4.dangling_A3.*": f"{XCRAWL} test_x4_a_page_that_was_not_had_keeps_what_it_gets",
        "X4.*literal_*": f"{XCRAWL} test_x4_one_step_as_it_is_printed",
        "X5.node_weight.*": f"{XCRAWL} test_x5_weight_of_a_page",
        "X5.*": f"{XCRAWL} test_x5_weights_of_links_and_the_choice",
        "X6.expected_walk_length.*": LeftOut("1/p: true of every fair dice, and computed nowhere"),
        "X6.*": f"{XCRAWL} test_x6_lengths_of_walks test_x6_a_walk_is_as_long_as_the_dice_say",
        "X7.mean_*": f"{XCRAWL} test_x7_gains_over_all_domains",
        "X7.relative_*": f"{XCRAWL} test_x7_gains_over_all_domains",
        "X7.pooled_all.*": f"{XCRAWL} test_x7_gains_over_all_domains",
        "X7.sites_*": f"{XCRAWL} test_x7_sites_where_the_baseline_is_better",
        "X7.harvest_rate": f"{XCRAWL} test_x7_harvest",
        "X7.*": f"{XCRAWL} test_x7_recall_of_each_domain",
        "X8.*": f"{XCRAWL} test_x8_lowest_common_ancestor",
        "X9.*": f"{APPRENTICE} test_x9_probability_that_a_link_leads_to_an_accepted_page",
    },
    "simple": {
        "S1.cap6": f"{SIMPLE} test_the_page_cap_is_tested_before_each_download",
        "S1.*": f"{SIMPLE} test_pages_are_visited_in_the_worked_order",
        "S2.*": f"{SIMPLE} test_relatives_are_as_far_below_the_same_ancestor",
        "S3.*": f"{SIMPLE} test_precision_of_the_first_pages",
        "S4.*": f"{SIMPLE} test_d_and_r_grow_when_precision_falls",
        "S5.printed_inequality_choice": MISPRINT,
        "S5.*": f"{SIMPLE} test_the_best_page_is_selected_not_the_worst_as_printed",
        "S6.*": f"{SIMPLE} test_two_seeds_are_two_trees",
        "S7.*": f"{SIMPLE} test_visited_pages_are_passed_through",
        "S8.*": f"{SIMPLE_MODEL} test_score_is_the_posterior_of_the_topic",
    },
    "focused1999": {
        "F1.term_probs_Cycling.*": LeftOut("the model keeps the words of a class beside those of its siblings only"),
        "F1.R_naive_double_count": MISPRINT,
        "F1.R_good_*": f"{TAXONOMY} test_a_good_parent_is_counted_once_and_not_with_its_children",
        "F1.long_doc*": f"{TAXONOMY} test_long_texts_do_not_underflow",
        "F1.*.Recreation": f"{TAXONOMY} test_probability_of_an_inner_class",
        "F1.*": f"{TAXONOMY} test_probabilities_down_the_tree",
        "F2.hard_expands": f"{ORDERINGS}/test_hard_focus.py test_links_are_followed_as_the_best_class_says",
        "F2.*": f"{TAXONOMY} test_relevant_by_sum_but_the_best_leaf_is_not_good",
        "F3.rho*": f"{HUBS} test_bar_that_a_fifth_of_ten_pages_exceeds",
        "F3.plain_hits.*": f"{HUBS} test_plain_hits_on_all_links",
        "F3.*": f"{HUBS} test_weighted_hits",
        "F4.order": f"{FOCUS} test_frontier_takes_seed_then_tries_relevance_load_and_random",
        "F4.*": f"{FOCUS} test_scores_keep_the_logarithm_of_relevance",
        "F5.harvest": f"{EVALUATE}/test_metrics.py test_moving_average_grows_its_window_at_the_start",
        "F5.stagnation.*": f"{FOCUS} test_stagnation_by_the_census_of_tries",
        "F5.*": f"{FOCUS} test_moving_average_and_the_page_at_which_diffusion_is_seen",
        "F6.top4_*": f"{EVALUATE}/test_robustness.py test_rating_overlap",
        "F6.*": f"{EVALUATE}/test_robustness.py test_overlap_of_two_crawls",
        "F7.*": f"{EVALUATE}/test_robustness.py test_distance_of_servers",
        "F8.*": f"{FOCUS} test_only_what_is_new_low_and_on_another_server_is_promoted",
        "F9.*": "focused/administration/test_suggestions.py test_scores_are_the_worked_ones",
        "F10.*": f"{FOCUS} test_queries_of_the_paper",
    },
    "website": {
        "E1.*": NOT_YET,
        "E2.*": f"{SITES} test_e2_the_nearest_of_the_centroids_of_a_class",
        "E3.*": f"{SITES} test_e3_correction_for_the_error_of_the_page_classifier",
        "E4.stop_*": f"{SITES} test_e4_the_relevant_site_is_decided_after_four_pages",
        "E4.*2000*": f"{SITES} test_e4_two_thousand_pages_do_not_underflow",
        "E4.prior.*": f"{SITES} test_e4_prior_from_the_sites_so_far",
        "E4.*": f"{SITES} test_e4_posterior_after_each_page",
        "E5.*.paper_pages": LeftOut("a mean over the paper's own sites, printed beside the least that is possible"),
        "E5.*": f"{SITES} test_e5_the_least_number_of_pages_that_can_decide",
        "E5b.*": f"{SITES} test_e5b_table_3_lists_the_mean_confidence_of_pages",
        "E6.*": NOT_YET,
        "E7.figure3.*": f"{CRAWLERS} test_edges_of_figure_three",
        "E7.*": f"{CRAWLERS} test_sites_are_ranked_by_the_mean_weight_of_their_edges",
        "E8.run.*": f"{CRAWLERS} test_a_site_is_read_until_it_is_known",
        "E8.*": f"{CRAWLERS} test_link_rank",
        "E9.*": f"{EVALUATE}/test_websites.py test_pages_per_relevant_site_of_the_worked_crawl",
        "E9b.single_page_share": f"{EVALUATE}/test_websites.py test_sites_with_one_page",
        "E9b.stop_at_window": f"{CRAWLERS} test_the_fifth_window_is_the_collapse",
        "E9b.page_rank.*": f"{ORDERINGS}/test_page_crawler.py"
        " test_a_page_is_as_good_as_the_mean_of_those_that_link_to_it",
        "E10.*": NOT_YET,
        "E11.*": f"{SITES} test_e11_pages_needed_if_all_pages_looked_alike",
    },
}


def names(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """A number, or a row of them, by its name."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield from names(below, f"{name}.{key}")
    else:
        yield name, value


def worked(paper: str) -> dict[str, Any]:
    return {name: value for key, table in EXPECTED[paper].items() for name, value in names(table, key)}


def rule_of(paper: str, name: str) -> str | None:
    """The first pattern that fits."""
    return next((pattern for pattern in LEDGER[paper] if fnmatchcase(name, pattern)), None)


def numbers_in(value: Any) -> Iterator[float]:
    """But for 0 and 1, which are everywhere and prove nothing, and infinity, which is no constant."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, list):
            yield from numbers_in(one)
        elif not isinstance(one, bool) and one is not None:
            try:
                number = float(one)
            except ValueError:  # a name
                continue
            if number not in (0.0, 1.0, math.inf):
                yield number


@cache
def parsed(path: str) -> ast.Module:
    return ast.parse((TESTS / path).read_text("utf-8"))


@cache
def said_in(path: str, test: str) -> tuple[float, ...]:
    """The numbers that a test and the constants of its file have."""
    defined = (ast.FunctionDef, ast.ClassDef)
    body = [node for node in parsed(path).body if not isinstance(node, defined) or node.name == test]
    found = (constant(node) for part in body for node in ast.walk(part))
    return tuple(number for number in found if number is not None)


def constant(node: ast.AST) -> float | None:
    """Of a number as it stands, with a sign, or as a fraction."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return float(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        below = constant(node.operand)
        return None if below is None else -below
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        above, below = constant(node.left), constant(node.right)
        return above / below if above is not None and below else None
    return None


def function_of(path: str, name: str) -> ast.FunctionDef | None:
    found = (node for node in parsed(path).body if isinstance(node, ast.FunctionDef) and node.name == name)
    return next(found, None)


def tolerances(test: ast.FunctionDef) -> list[float]:
    """What approx(..., abs=...) is told."""
    given = [
        word.value
        for node in ast.walk(test)
        if isinstance(node, ast.Call)
        for word in node.keywords
        if word.arg == "abs"
    ]
    return [float(value.value) for value in given if isinstance(value, ast.Constant)]


@pytest.mark.parametrize("paper", LEDGER)
def test_every_worked_number_has_a_test_or_a_reason(paper: str) -> None:
    assert EXPECTED.keys() == LEDGER.keys()
    assert [name for name in worked(paper) if rule_of(paper, name) is None] == []
    used = {rule_of(paper, name) for name in worked(paper)}
    assert [pattern for pattern in LEDGER[paper] if pattern not in used] == []


@pytest.mark.parametrize("paper", LEDGER)
def test_the_tests_that_are_named_exist_and_are_exact(paper: str) -> None:
    for where in LEDGER[paper].values():
        if not isinstance(where, LeftOut):
            path, *tests = where.split()
            found = [function_of(path, test) for test in tests]
            assert tests and None not in found, where
            assert all(most <= EXACT for test in found if test for most in tolerances(test)), where


@pytest.mark.parametrize("paper", LEDGER)
def test_the_tests_that_are_named_have_the_numbers(paper: str) -> None:
    missing = []
    for name, value in worked(paper).items():
        where = LEDGER[paper][rule_of(paper, name) or ""]
        if not isinstance(where, LeftOut):
            path, *tests = where.split()
            said = [number for test in tests for number in said_in(path, test)]
            missing += [(name, n) for n in numbers_in(value) if not any(abs(n - one) <= EXACT for one in said)]
    assert missing == []
