"""The bounded tree edit distance against the recursive definition, and by hand."""

from functools import cache
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from thresher.site.tree_distance import Tree, distance, least_distance, steps

# A node is a pair of its label and its children; a forest is a tuple of nodes.


@cache
def slow_distance(a, b):
    """The definition on forests: delete or insert the last root, or map the last roots."""
    if not a and not b:
        return 0
    found = []
    if a:
        *rest, (_, children) = a
        found.append(slow_distance((*rest, *children), b) + 1)
    if b:
        *rest, (_, children) = b
        found.append(slow_distance(a, (*rest, *children)) + 1)
    if a and b:
        *rest_a, (label_a, children_a) = a
        *rest_b, (label_b, children_b) = b
        inner = slow_distance(children_a, children_b)
        found.append(slow_distance(tuple(rest_a), tuple(rest_b)) + inner + (label_a != label_b))
    return min(found)


def tree_of(node):
    """Make a Tree from a nested node."""
    labels, ends = [], []

    def visit(label, children):
        at = len(labels)
        labels.append(label)
        ends.append(0)
        for child in children:
            visit(*child)
        ends[at] = len(labels)

    visit(*node)
    return Tree.of(labels, ends)


def node(label, *children):
    return (label, children)


NODES = st.recursive(
    st.sampled_from("ab").map(lambda label: (label, ())),
    lambda inner: st.tuples(st.sampled_from("ab"), st.lists(inner, max_size=3).map(tuple)),
    max_leaves=5,
)


@given(NODES, NODES)
def test_it_is_the_distance_of_the_definition(a, b):
    expected = slow_distance((a,), (b,))
    assert distance(tree_of(a), tree_of(b)) == expected
    assert least_distance(tree_of(a), tree_of(b)) <= expected


@given(NODES, NODES, st.integers(0, 6))
def test_a_bound_changes_nothing_below_it(a, b, most):
    expected = slow_distance((a,), (b,))
    assert distance(tree_of(a), tree_of(b), most) == (expected if expected <= most else inf)


@given(NODES, st.data())
def test_small_changes_of_larger_trees_are_within_their_number(a, data):
    whole = tree_of(("root", (a,) * 8))
    labels = list(whole.labels)
    changed = data.draw(st.sets(st.integers(0, len(labels) - 1), max_size=3))
    for at in changed:
        labels[at] = "new"
    assert distance(whole, Tree(tuple(labels), whole.leftmost), 3) == len(changed)


def test_the_example_of_zhang_and_shasha():
    first = node("f", node("d", node("a"), node("c", node("b"))), node("e"))
    second = node("f", node("c", node("d", node("a"), node("b"))), node("e"))
    a, b = tree_of(first), tree_of(second)
    assert a.labels == ("a", "b", "c", "d", "e", "f")
    assert a.leftmost == (0, 1, 1, 0, 4, 0)
    assert a.keyroots == [2, 4, 5]
    assert distance(a, b) == 2  # delete c, insert c
    assert distance(a, b, 2) == 2
    assert distance(a, b, 1) == inf


@pytest.mark.parametrize(
    ("a", "b", "edits"),
    [
        (node("p"), node("p"), 0),
        (node("p"), node("q"), 1),
        (node("ul", node("li"), node("li")), node("ul", node("li")), 1),
        (node("ul", node("x"), node("y"), node("z")), node("ul", node("z")), 2),
        (node("ul", node("x"), node("y", node("z"))), node("ul", node("y", node("z"))), 1),
        (node("ul", node("li", node("a"))), node("ul", node("a")), 1),  # a moves up
        (node("p", node("x"), node("y")), node("p", node("y"), node("x")), 2),  # order counts
        (node("a", node("b", node("c"))), node("x", node("y"), node("z")), 4),
    ],
)
def test_worked_examples(a, b, edits):
    for most in (edits, edits + 1, inf):
        assert distance(tree_of(a), tree_of(b), most) == edits
        assert distance(tree_of(b), tree_of(a), most) == edits


def test_labels_alone_can_tell_that_trees_are_too_different():
    a = tree_of(node("ul", node("x"), node("y"), node("z")))
    b = tree_of(node("ul", node("x")))
    assert least_distance(a, b) == 2
    assert distance(a, b, 1) == inf
    assert distance(a, a, -1) == inf


def test_trees_without_nodes():
    empty, one = Tree.of([], []), Tree.of(["p"], [1])
    assert distance(empty, empty) == 0
    assert distance(empty, one) == distance(one, empty) == 1
    assert distance(empty, one, 0) == inf


def test_steps_bound_the_work():
    flat = tree_of(("ul", (("li", ()),) * 99))
    assert flat.keyroot_nodes == 100 + 98  # the root, and each item but the first
    assert steps(flat, flat, inf) == 198 * 198
    assert steps(flat, flat, 1) == 198 * 3 * 3


def flat(size):
    """A root with many children, all labels different, and the same with two others."""
    labels, leaves = list(range(size)), [*range(size - 1), 0]
    changed = ["x", *labels[1:-2], "y", labels[-1]]
    return Tree(tuple(labels), tuple(leaves)), Tree(tuple(changed), tuple(leaves))


def chain(size):
    """Nodes each inside the next, and the same with two other labels."""
    labels = list(range(size))
    changed = ["x", *labels[1:-2], "y", labels[-1]]
    return Tree(tuple(labels), (0,) * size), Tree(tuple(changed), (0,) * size)


@pytest.mark.parametrize("shape", [flat, chain])
def test_time_is_linear_in_the_size_for_a_small_bound(shape):
    assert distance(*shape(5_000), 2) == 2
    assert_linear(lambda pair: distance(*pair, 2), shape, 500)
