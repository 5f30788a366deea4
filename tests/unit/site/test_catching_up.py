"""How long the trial of a site waits for the record: until all is there, or nothing more comes."""

from virtual_table.site.trial import CAUGHT_UP_S, QUIET_S, caught_up


class Site:
    """A site whose record has more rows at each look until it has all it will, and a clock that only sleeps move."""

    def __init__(self, rows, *, last, whole):
        self.rows, self.last, self.whole, self.now_s = rows, last, whole, 0.0

    def verified(self):
        self.rows = min(self.rows + 10, self.last)
        ok = self.whole and self.rows == self.last
        problems = [] if ok else ["table-1: rows are not recorded yet."]
        return {"ok": ok, "rows": self.rows, "problems": problems, "unanswered": []}

    def sleep(self, seconds):
        self.now_s += seconds

    def waited(self):
        return caught_up(self.verified, lambda: self.now_s, self.sleep)


def test_a_record_that_is_whole_in_the_end_is_waited_for():
    site = Site(0, last=200, whole=True)

    assert site.waited()["ok"]
    assert site.now_s > 30


def test_a_site_that_has_lost_a_row_is_given_up_once_nothing_more_comes():
    site = Site(0, last=100, whole=False)

    assert (site.waited()["ok"], site.waited()["problems"]) == (False, ["table-1: rows are not recorded yet."])
    assert site.now_s < 2 * QUIET_S + 40


def test_a_record_that_never_ends_is_given_up_too():
    site = Site(0, last=10**9, whole=True)

    assert not site.waited()["ok"]
    assert site.now_s < CAUGHT_UP_S + 10
