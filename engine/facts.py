"""What a question says of the trip: read from its words, never guessed; what is unsaid stays open."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any

from engine.delays import Delay, read_delay
from engine.places import FoundPlace, Lies, find_places
from engine.quantities import find_quantities


class Route(StrEnum):
    """Where the flight goes, as the rules tell it apart."""

    WITHIN_US = "within_us"
    FROM_US = "from_us_abroad"
    TO_US = "to_us"
    ABROAD = "abroad"


class Cabin(StrEnum):
    """The class of service of a ticket."""

    ECONOMY = "economy"
    PREMIUM = "premium_economy"
    BUSINESS = "business"
    FIRST = "first"


def _any(*phrases: str, end: str = r"\b") -> re.Pattern[str]:
    """A pattern for any of the phrases as whole words."""
    return re.compile(rf"\b(?:{'|'.join(phrases)}){end}", re.IGNORECASE)


_US = r"(?:US|U\.S\.|USA|United States|States)"
_WHOM = r"(?: (?:me|him|her|us|them|someone|somebody|people|(?:my|his|her|our|their|the|an?) \w+))?"
_BUMPED = _any(
    r"bump\w*|den(?:y|ied) (?:her |his |my |their )?boarding|denied-boarding|idb|dbc",
    r"overs(?:old|ale|ell)\w*|overbook\w*|overfull|sold (?:out twice|too many)",
    r"too many (?:seats|tickets|bookings|reservations|passengers|people)|sold more (?:seats|tickets) than",
    r"more (?:passengers|people|tickets|bookings|reservations) than (?:\w+ ){0,3}?(?:seats|places)",
    rf"(?:kicked|thrown|threw|picked|left|forced|ordered|pulled|took|taken){_WHOM} (?:off|behind|to stay)",
    rf"left{_WHOM} (?:standing |sitting )?at the gate|turned{_WHOM} away|stay behind",
    rf"refused{_WHOM} (?:at the gate|boarding|a seat|entry|to board)|refused to (?:let|board){_WHOM}",
    rf"(?:not|\w+n['\u2019]t|never) (?:be )?(?:let|allow(?:ed)?|permitted){_WHOM} (?:on(?! time)|to board)",
    r"no (?:\w+ )?(?:seat|room|place|space)s? (?:was |were )?(?:left |available |free )?for"
    r" (?:me|him|her|us|them|my|his|our|their)",
    r"gave (?:my|her|his|our|their) seats? (?:away|to)|lost (?:my|her|his|our|their) seats?",
)
_NOT_BUMPED = _any(
    r"(?:no|not|never|nobody|no one|none|without|(?:was|were|is|are|did)n['\u2019]?t) (?:\w+ ){0,2}?"
    r"(?:bump\w*|den(?:y|ied) boarding|overs(?:old|ale|ell)\w*|overbook\w*|left behind)"
)
_BAG = _any(
    r"bags?|baggage|luggage|suitcases?|duffels?|backpacks?|checked items?|254\.\d|trunks?|belongings",
    r"(?:(?:golf|fishing|camera|diving|ski|sports) )?gear|golf clubs|skis|strollers?|clothes|clothing",
)
_AMOUNT = _any(
    r"how (?:much|high|big)|the most|most i can|max(?:imum)?|upper limit|limit|cap|ceiling|biggest|highest",
    r"amount|sum|multiple|multiplier",
    r"(?:higher|lower|smaller|bigger|larger|right|correct) (?:rate|figure|number|step)",
    r"(?:what|which) (?:figure|amount|sum|band|tier|bracket|step|percentages?)|percent(?:age)?",
    r"owe[ds]?|do they pay|(?:what|which|any) (?:denied boarding )?compensation",
    r"(?:what|anything|something) .{0,30}(?:owed?|due)|payout|entitled to",
)
_OTHER_AMOUNT = _any(
    r"inflation|cpi|consumer price|review\w*|adjust\w*|formula|round\w*|volunteers?|voucher",
    r"handout|leaflet|statement|notice|sign|report\w*",
    r"(?:more|higher) than (?:the )?(?:\w+ ){0,3}(?:limits?|caps?|max\w*)",
    r"(?:above|beyond|over|exceed\w*) (?:the )?(?:\w+ ){0,3}(?:limits?|caps?|max\w*)",
)
"""Amounts that are not what a bumped passenger is due."""
_SCOPE = _any(
    r"appl(?:y|ies|icable)|reach(?:es)?(?! (?:the )?\*)|cover(?:s|ed)?|bound by|bind|inside part",
    "fall under|rules? good",
    r"(?:is|are|falls?|lies?) (?:\w+ )?outside(?! (?:of )?the (?:\*|US|country))|exempt(?:ed)?",
    r"(?:rules?|law|part \d+) (?:\w+ ){0,4}?(?:help|protect|work for|hold for)",
    r"threshold|purpose of|(?:is|was) (?:the )?(?:part|section) [\w.]+ (?:for|about)",
)
_CHARTER = _any(r"charter(?:s|ed)?", r"hired (?:a |the |an )?(?:\w+ )?(?:planes?|jets?|aircraft|7\d7)")
_AWARD = _any(
    r"(?:award|miles|points|zero[- ]fare|frequent[- ]flyer|free|reward) (?:ticket|trip|seat|flight)",
    r"(?:with|used|using|on|redeemed) (?:my |our |her |his |some )?(?:\d[\d,]* )?(?:frequent[- ]flyer )?"
    r"(?:miles|points)",
)
_INVOLUNTARY = _any(
    r"involuntar\w+|against (?:my|his|her|our|their) will|unwilling\w*|without volunteering",
    r"(?:did(?:n?['’]?t| not)|never|nobody|no one) (?:\w+ )?volunteer(?:ed)?|not (?:a |as )?volunteers?",
)
_VOLUNTARY = _any(
    r"volunteered|voluntarily|gave up (?:my|his|her|our|their) seats?|willingly",
    r"of (?:my|his|her|our|their) own (?:free )?(?:will|accord)",
)
_OTHER_FLIGHT = r"(?:\w+ )?(?:other|alternat\w+|new|replacement|later|next|re-?booking)"
_NO_ALTERNATE = _any(
    rf"(?:offered|gave|got|found)(?: \w+)? no {_OTHER_FLIGHT} (?:flights?|transport\w*|seats?)",
    rf"no {_OTHER_FLIGHT}(?: (?:flights?|transport\w*|seats?))? (?:was|were) (?:offered|given|found|free)",
    r"(?:did(?:n['’]t| not)|never|refused to|would(?:n['’]t| not)) (?:offer|find|give|book|arrange|put)"
    rf"(?: (?:me|us|him|her|them))? (?:on )?(?:an?|any|an)?{_OTHER_FLIGHT} (?:flights?|transport\w*|seats?)",
    r"(?:never|not) re-?booked|did(?:n['’]t| not) re-?book|nothing else was offered",
)
_DOMESTIC = _any(rf"domestic\w*|inland|interstate|(?:with)?in(?:side)? the {_US}|US to US|two US cities")
_ABROAD = _any(
    r"international\w*(?! (?:airport|terminal))|overseas|abroad|transatlantic|transpacific",
    "foreign (?:country|point|city|destination|air transportation|flight)",
)
_OUTBOUND = _any(
    rf"international (?:flight )?(?:out of|from) the {_US}|out of the (?:{_US}|country)",
    rf"from the {_US} (?:abroad|to a foreign)",
)
_INBOUND = _any(
    rf"(?:into|inbound to|back to|flights? to) the {_US}|inbound (?:international|foreign|from abroad)",
    r"(?:international|foreign) inbound|from abroad",
)
_CABINS = {
    Cabin.PREMIUM: _any(r"premium economy|economy plus|comfort plus"),
    Cabin.ECONOMY: _any(r"(?<!premium )economy(?! plus)|coach|main cabin"),
    Cabin.BUSINESS: _any(r"business(?:[- ]class| cabin| seats?| ticket)|in business"),
    Cabin.FIRST: _any(r"first[- ]class|first cabin|in first"),
}
_FLIGHTS = _any("flights")
"""Flights of a kind, and no trip."""
_NUMBER = r"(?P<n>\d{1,3}|[a-z]+(?:-[a-z]+)?)"
_CRAFT = r"(?:aircraft|air)?(?:plane|craft|jet|turboprop|airliner|hopper)s?"
_LEFT = r" (?:left|free|empty|open|unsold|too|short|over)"
_SEATS = tuple(
    re.compile(rf"\b{form}", re.IGNORECASE)
    for form in (
        rf"{_NUMBER}(?:-seat\b|[- ]?seater|[- ]passenger (?:seats|{_CRAFT}))",
        rf"{_NUMBER} seats? (?:\w+ )?{_CRAFT}",
        rf"{_CRAFT} (?:\w+ ){{0,2}}?(?:seats|seating) {_NUMBER}\b",
        rf"{_CRAFT} (?:\w+ ){{0,2}}?(?:with|of|has|had|having) (?:[a-z]+ ){{0,2}}?{_NUMBER} seats(?!{_LEFT})",
        rf"(?:capacity of|room for) (?:only |just |up to )?{_NUMBER}",
        rf"(?<=, ){_NUMBER} seats(?!{_LEFT})",
    )
)
_MONEY = (
    r"(?:(?:US)?\$\s?[\d,]+(?:\.\d\d)?|USD\s?[\d,]+(?:\.\d\d)?|\d[\d,]*(?:\.\d\d)? (?:dollars|bucks|USD))"
)
_NOT_FARE = _any(
    "hotel|taxi|cab|meal|food|voucher|bag|baggage|fees?|compensation|cap|limit|round[- ]trip|return",
    "paid (?:me|us|him|her|them|out)",
)
_PAYS = _any("airline|carrier|they|it", end=r"\s+$")
_ONE_WAY = r"(?:(?:for|on) (?:an? |my |her |his |our |the ))?(?:one[- ]way )?(?:fare|ticket)|one[- ]way"
_BEHIND = r"(?=(?P<behind>(?:(?! and | but )[^.?!;,$]){0,24}))"
_FARE = re.compile(
    rf"(?:\b(?:fare|ticket|paid|price|cost)\b[^.?!;$\d]{{0,40}}?(?P<money>{_MONEY})"
    rf"|(?P<first>{_MONEY}) (?:{_ONE_WAY})){_BEHIND}",
    re.IGNORECASE,
)
_NEAR = 24
"""Characters before a place that say whether a trip begins or ends there."""
_FROM = re.compile(r"\b(?:from|out of|leaving|departing|left)\s+(?:an?\s+|the\s+)?$", re.IGNORECASE)
_AT = re.compile(r"\b(?:in|at)\s+(?:the\s+)?$", re.IGNORECASE)
_TO = re.compile(r"\b(?:to|into|for|towards?)\s+(?:an?\s+|the\s+)?$|[-–—>→]\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a trip; None or False wherever the question does not say."""

    route: Route | None = None
    begins_abroad: bool = False
    """The flight begins outside the United States, wherever it goes."""
    ends_abroad: bool = False
    """The flight goes abroad, wherever it begins."""
    places: tuple[FoundPlace, ...] = ()
    delay: Delay | None = None
    no_alternate: bool = False
    """The carrier offered no other transportation."""
    fare: Decimal | None = None
    """US dollars, one way."""
    award: bool = False
    """An award or other free ticket."""
    voluntary: bool | None = None
    seats: int | None = None
    """Of the aircraft."""
    charter: bool = False
    """The flight is no scheduled one."""
    cabin: Cabin | None = None
    """Of the ticket; None as well when two are named."""
    bumped: bool = False
    bag: bool = False
    asks_amount: bool = False
    """The question is about how much, or which step."""
    asks_scope: bool = False
    """The question is whether the rules apply at all."""

    @property
    def basis(self) -> Decimal | None:
        """The fare that percentages are taken of; of an award ticket it is what others pay, and unknown."""
        return None if self.award else self.fare

    @property
    def is_case(self) -> bool:
        """Whether a passenger's own case is told: bumped, the route, and how late the other flight is."""
        return self.bumped and self.delay is not None and self.route is not None

    @property
    def compensation(self) -> bool:
        """Whether the question is what denied boarding compensation comes to."""
        about = self.bumped or (self.delay is not None and self.route is not None)
        return self.asks_amount and about and not self.bag

    def as_json(self) -> dict[str, Any]:
        """The facts for the `facts` key of a card's JSON; null or false is what is not said."""
        made: dict[str, Any] = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        made["places"] = [{"name": place.name, "lies": place.lies} for place in self.places]
        made["fare"] = None if self.fare is None else str(self.fare)
        if self.delay is not None:
            made["delay"] = {entry.name: getattr(self.delay, entry.name) for entry in fields(self.delay)}
        return made


def read_facts(text: str) -> Facts:
    """Read the facts that a question states."""
    places = find_places(text)
    target = next((place for place in places if _TO.search(_before(text, place.start))), None)
    begin = _origin(text, places, target)
    end = None if target is None else target.lies
    route = _route(text, places, begin, end)
    one_trip = _FLIGHTS.search(text) is None
    facts = Facts(
        route=route,
        begins_abroad=begin is Lies.ABROAD or (one_trip and route is Route.TO_US),
        ends_abroad=end is Lies.ABROAD or (one_trip and route is Route.FROM_US),
        places=places,
        delay=read_delay(text),
        no_alternate=_NO_ALTERNATE.search(text) is not None,
        fare=_fare(text),
        award=_AWARD.search(text) is not None,
        voluntary=_voluntary(text),
        seats=_seats(text),
        charter=_CHARTER.search(text) is not None,
        cabin=_cabin(text),
        bumped=_BUMPED.search(_NOT_BUMPED.sub("*", text)) is not None,
        bag=_BAG.search(text) is not None,
        asks_scope=_SCOPE.search(_without(text, places)) is not None,
    )
    # Who tells a whole case of being bumped asks what is due, in whatever words.
    amount = facts.is_case or _AMOUNT.search(text) is not None
    other = _OTHER_AMOUNT.search(_INVOLUNTARY.sub("*", text))
    return replace(facts, asks_amount=amount and other is None)


def denies_bumping(text: str) -> bool:
    """Whether a text says that nobody was bumped: `nobody was denied boarding`, `not oversold`."""
    return _NOT_BUMPED.search(text) is not None


def _without(text: str, places: tuple[FoundPlace, ...]) -> str:
    """The text with an asterisk for every place: a flight that reaches one is not a rule that does."""
    for place in sorted(places, key=lambda one: one.start, reverse=True):
        text = f"{text[: place.start]}*{text[place.end :]}"
    return text


def _before(text: str, start: int) -> str:
    """What stands directly before a place in a text."""
    return text[max(0, start - _NEAR) : start]


def _origin(text: str, places: tuple[FoundPlace, ...], target: FoundPlace | None) -> Lies | None:
    for pattern in (_FROM, _AT):
        for place in places:
            if place is not target and pattern.search(_before(text, place.start)):
                return place.lies
    # "Boston to Dublin": what stands before the target.
    return next((place.lies for place in places if place is not target), None) if target else None


def _route(text: str, places: tuple[FoundPlace, ...], begin: Lies | None, end: Lies | None) -> Route | None:
    if begin and end and Lies.OPEN not in {begin, end}:
        if begin is Lies.US:
            return Route.WITHIN_US if end is Lies.US else Route.FROM_US
        return Route.TO_US if end is Lies.US else Route.ABROAD
    abroad = _ABROAD.search(text) is not None
    all_us = len({p.name for p in places if not p.country}) > 1 and all(p.lies is Lies.US for p in places)
    if not abroad and (all_us or (_DOMESTIC.search(text) and Lies.ABROAD not in {begin, end})):
        return Route.WITHIN_US
    if _OUTBOUND.search(text) or (abroad and begin is Lies.US and end is None and not _DOMESTIC.search(text)):
        return Route.FROM_US
    return Route.TO_US if _INBOUND.search(text) and begin is not Lies.US else None


def _fare(text: str) -> Decimal | None:
    """The one fare that is named; what is paid for something else, or there and back, is none."""
    found: set[Decimal] = set()
    for match in _FARE.finditer(text):
        money = match["money"] or match["first"]
        value = next((q.value for q in find_quantities(money) if q.kind == "money"), None)
        other = _NOT_FARE.search(match.group() + match["behind"]) or _PAYS.search(
            _before(text, match.start())
        )
        if isinstance(value, Decimal) and not other:
            found.add(value)
    return found.pop() if len(found) == 1 else None


def _voluntary(text: str) -> bool | None:
    if _INVOLUNTARY.search(text):
        return False
    return True if _VOLUNTARY.search(text) else None


def _seats(text: str) -> int | None:
    """The one number of an aircraft's seats that is named."""
    read = (find_quantities(f"{match['n']} seats") for form in _SEATS for match in form.finditer(text))
    found = {int(number[0].value) for number in read if number and isinstance(number[0].value, Decimal)}
    return found.pop() if len(found) == 1 else None


def _cabin(text: str) -> Cabin | None:
    """The one cabin that is named."""
    named = [cabin for cabin, pattern in _CABINS.items() if pattern.search(text)]
    return named[0] if len(named) == 1 else None
