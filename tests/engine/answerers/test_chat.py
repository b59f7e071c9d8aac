"""The answerer with a live model: what becomes of what it says."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from engine.abstain import Elsewhere
from engine.checks import CLOSED_BOOK, check_answer
from engine.chunks import cut
from engine.context import build
from engine.errors import ServerError
from engine.model import Answer, Context, Hit, Reason, Standing, StandingKind, Status, Usage

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.answerers.chat import ChatAnswerer
    from engine.model import Chunk, Question
    from tests.engine.answerers.conftest import ScriptedServer
    from tests.engine.conftest import MakeText, MakeVersion

    Ask = Callable[..., Answer]
    AnswererOf = Callable[..., ChatAnswerer]

KEY = "sk-do-not-show-me"
EMPTY = Context((), frozenset(), 0, 4000)


def abstaining(reason: str, *claims: object) -> dict[str, Any]:
    return {"status": "abstained", "reason": reason, "claims": list(claims)}


class TestAnswers:
    def test_an_answer_is_composed_of_its_claims(
        self, server: ScriptedServer, ask: Ask, context: Context
    ) -> None:
        claims = [{"text": "One.", "passages": [context.ids[0]]}, {"text": "Two.", "passages": ["dead"]}]
        server.says(json.dumps({"status": "answered", "reason": None, "claims": claims, "url": "http://x"}))

        answer = ask()

        assert answer.status is Status.ANSWERED
        assert answer.text == "One.\nTwo."
        assert [claim.passages for claim in answer.claims] == [(context.ids[0],), ("dead",)]
        assert answer.usage == Usage(100, 20)
        assert answer.model == "small-1"

    def test_the_request_holds_prompt_parameters_and_key(
        self, server: ScriptedServer, ask: Ask, good: str
    ) -> None:
        server.says(good)
        ask(max_tokens=77, temperature=0.5)
        (sent,) = server.requests

        assert sent.path == "/v1/chat/completions"
        assert sent.headers["authorization"] == f"Bearer {KEY}"
        assert sent.body["model"] == "small-1"
        assert sent.body["stream"] is False
        assert (sent.body["max_tokens"], sent.body["temperature"]) == (77, 0.5)
        assert sent.body["response_format"]["type"] == "json_schema"
        assert [message["role"] for message in sent.body["messages"]] == ["system", "user"]

    def test_without_a_key_none_is_sent(self, server: ScriptedServer, ask: Ask, good: str) -> None:
        server.says(good)
        ask(key="")

        assert "authorization" not in server.requests[0].headers

    def test_an_unknown_id_is_flagged_by_the_checks(
        self, server: ScriptedServer, ask: Ask, question: Question, context: Context
    ) -> None:
        claims = [{"text": "At least 200 percent of the fare.", "passages": ["5", "7"]}]
        server.says(json.dumps({"status": "answered", "reason": None, "claims": claims}))
        checked = check_answer(ask(), question, context, lookup=lambda _: None, in_force=lambda _: True)

        assert len(checked.claims[0].problems) == 2

    @pytest.mark.parametrize(
        ("name", "shown"), [("big\x1b[31m\n2", "big\\x1b[31m 2"), ("x" * 500, "x" * 80), (None, "small-1")]
    )
    def test_the_models_name_is_safe_and_short(
        self, name: str | None, shown: str, server: ScriptedServer, ask: Ask, good: str
    ) -> None:
        server.says(good, envelope={"model": name, "usage": None})
        answer = ask()

        assert answer.model == shown
        assert answer.usage is None

    def test_addresses_that_stand_in_no_passage_are_left_out(
        self,
        answerer_of: AnswererOf,
        server: ScriptedServer,
        question: Question,
        make_text: MakeText,
        make_version: MakeVersion,
    ) -> None:
        text = "See https://evil.example/a?b, [this](HTTP://x.example) and www.dot.gov."
        server.says(
            json.dumps({"status": "answered", "reason": None, "claims": [{"text": text, "passages": []}]})
        )
        (chunk,) = cut(make_version(make_text("250.5", "Write to www.dot.gov.")))
        context = build([Hit(1, 1.0, chunk, in_force=True)], top=1)
        answer = answerer_of().answer(question, context)

        assert answer.text == "See (address left out) [this]((address left out)) and www.dot.gov."

    def test_a_key_that_comes_back_is_not_kept(self, server: ScriptedServer, ask: Ask) -> None:
        claims = [{"text": f"The key is {KEY}.", "passages": [KEY]}]
        said = {"status": "answered", "reason": None, "claims": claims}
        server.says(json.dumps(said), envelope={"model": KEY})

        assert KEY not in repr(ask())

    def test_a_key_that_is_a_plain_word_changes_no_answer(
        self, server: ScriptedServer, ask: Ask, good: str
    ) -> None:
        server.says(good)

        assert "fare" in ask(key="fare").text


class TestAbstentions:
    @pytest.mark.parametrize("reason", list(Reason))
    def test_an_abstention_is_in_our_words(self, reason: Reason, server: ScriptedServer, ask: Ask) -> None:
        server.says(json.dumps(abstaining(reason, {"text": "It was $1,550 then.", "passages": ["dead"]})))
        answer = ask()

        assert answer.status is Status.ABSTAINED
        assert answer.reason is reason
        assert "$" not in answer.text
        assert "2022-06-10" in answer.text
        assert not answer.claims
        assert answer.model == "small-1"

    def test_it_rests_on_the_passages_that_it_cites(
        self, server: ScriptedServer, ask: Ask, context: Context
    ) -> None:
        cited = [context.ids[1], "dead", context.ids[1]]
        server.says(json.dumps(abstaining("not_covered", {"text": "No.", "passages": cited})))

        assert ask().rests_on == (context.ids[1],)

    @pytest.mark.parametrize("reason", ["out_of_scope", "not_covered"])
    def test_or_on_what_says_what_the_part_covers(
        self, reason: str, server: ScriptedServer, ask: Ask, context: Context
    ) -> None:
        server.says(json.dumps(abstaining(reason)))

        assert context.scope_ids
        assert ask().rests_on == context.scope_ids

    def test_an_absent_rule_that_search_knows_of_is_named(
        self,
        answerer_of: AnswererOf,
        server: ScriptedServer,
        question: Question,
        context: Context,
        chunks: tuple[Chunk, ...],
    ) -> None:
        later = next(chunk for chunk in chunks if chunk.version.effective_from > question.as_of)
        found = Elsewhere(later, "(z)", Standing(StandingKind.IN_FORCE, context.hits[0].chunk.version))
        server.says(json.dumps(abstaining("absent")))
        answer = answerer_of().answer(question, replace(context, elsewhere=found))

        assert answer.text.startswith("No such rule was in force on 2022-06-10.")
        assert answer.rests_on == (later.id,)
        assert answer.usage == Usage(100, 20)

    def test_without_passages_the_model_is_not_asked(
        self, answerer_of: AnswererOf, server: ScriptedServer, question: Question, chunks: tuple[Chunk, ...]
    ) -> None:
        found = Elsewhere(chunks[0], "", Standing(StandingKind.NOT_YET, None))
        answerer = answerer_of()

        assert answerer.answer(question, EMPTY).reason is Reason.NOTHING_FITS
        assert answerer.answer(question, replace(EMPTY, elsewhere=found)).reason is Reason.ABSENT
        assert not server.requests


class TestClosedBook:
    def test_the_model_answers_alone_and_every_claim_is_flagged(
        self, answerer_of: AnswererOf, server: ScriptedServer, question: Question, good: str
    ) -> None:
        server.says(good)
        answer = answerer_of(closed_book=True).answer(question, EMPTY)
        checked = check_answer(answer, question, EMPTY, lookup=lambda _: None, in_force=lambda _: True)

        assert "from your own knowledge" in server.requests[0].body["messages"][0]["content"]
        assert [claim.problems for claim in checked.claims] == [(CLOSED_BOOK,)]

    def test_it_may_abstain(
        self, answerer_of: AnswererOf, server: ScriptedServer, question: Question
    ) -> None:
        server.says(json.dumps(abstaining("nothing_fits")))
        answer = answerer_of(closed_book=True).answer(question, EMPTY)

        assert answer.text == "The model, asked without passages, gave no answer for 2022-06-10."


class TestUnusableOutput:
    @pytest.mark.parametrize(
        "bad",
        [
            "",
            None,
            "{ {" + '"status": "answered"}}',
            '{"status": "answered", "reason": null}',
            '{"status": "answered", "reason": null, "claims": [{"text": 5, "passages": []}]}',
            "<think>The user wants",
            "I think it is $775.",
        ],
    )
    def test_it_is_asked_for_once_more(
        self, bad: str | None, server: ScriptedServer, ask: Ask, good: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        server.says(bad, good)
        with caplog.at_level(logging.WARNING):
            answer = ask()

        assert answer.status is Status.ANSWERED
        assert answer.usage == Usage(200, 40)
        first, second = (sent.body["messages"] for sent in server.requests)
        assert second[0] == first[0]
        assert second[1]["content"].startswith(first[1]["content"])
        assert "without a fence" in second[1]["content"]
        assert "asked once more" in caplog.text

    @pytest.mark.parametrize("bad", ["", "{ {", "[]"])
    def test_twice_is_an_honest_failure(self, bad: str, server: ScriptedServer, ask: Ask) -> None:
        server.says(bad, bad)
        answer = ask()

        assert answer.status is Status.FAILED
        assert answer.error is not None
        assert answer.error.startswith("The model wrote ")
        assert "says nothing about the rules" in answer.error
        assert (answer.text, answer.claims) == ("", ())
        assert len(server.requests) == 2

    def test_a_fence_is_no_reason_to_ask_again(self, server: ScriptedServer, ask: Ask, good: str) -> None:
        server.says(f"<think>hm</think>\n```json\n{good}\n```")

        assert ask().status is Status.ANSWERED

    def test_thinking_in_place_of_an_answer_is_named(self, server: ScriptedServer, ask: Ask) -> None:
        server.says("", "", message={"reasoning_content": "The user wants"})

        assert "only its thinking" in str(ask().error)

    def test_no_choices_are_an_empty_answer(self, server: ScriptedServer, ask: Ask, good: str) -> None:
        server.says("", envelope={"choices": [], "usage": None})
        server.says(good)

        assert ask().usage == Usage(100, 20)

    @pytest.mark.parametrize("content", ["", "<think>I", '{"status": "answered", "cla'])
    def test_cut_off_is_not_no_answer(self, content: str, server: ScriptedServer, ask: Ask) -> None:
        server.says(content, finish="length")
        answer = ask(max_tokens=20)

        assert answer.status is Status.FAILED
        assert "cut off at its limit of 20 tokens" in str(answer.error)
        assert "chat_max_tokens" in str(answer.error)

    def test_without_a_count_of_tokens_the_limit_is_blamed(self, server: ScriptedServer, ask: Ask) -> None:
        server.says("", finish="length", envelope={"usage": None})

        assert "cut off at its limit of 64 tokens" in str(ask(max_tokens=64).error)

    def test_a_full_context_is_not_the_limit(self, server: ScriptedServer, ask: Ask) -> None:
        # As llama.cpp says it: 46 tokens were written of the 2000 allowed, then 1024 were reached.
        usage = {"prompt_tokens": 978, "completion_tokens": 46, "total_tokens": 1024}
        server.says('{"status": "answered", "cla', finish="length", envelope={"usage": usage})
        answer = ask(max_tokens=2000)

        assert answer.status is Status.FAILED
        assert "cut off after 978 tokens read and 46 written" in str(answer.error)
        assert "the server's context was full" in str(answer.error)
        assert "chat_max_tokens" not in str(answer.error)

    @pytest.mark.parametrize("more", [{"message": {"refusal": "I can't."}}, {"finish": "content_filter"}])
    def test_a_refusal_is_one(self, more: dict[str, Any], server: ScriptedServer, ask: Ask) -> None:
        server.says(None, **more)

        assert "refused to answer" in str(ask().error)


class TestDialects:
    def test_without_schema_then_without_json_mode_and_remembered(
        self,
        answerer_of: AnswererOf,
        server: ScriptedServer,
        question: Question,
        context: Context,
        good: str,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        server.replies(400, {"error": {"message": "response_format json_schema is not supported"}})
        server.replies(422, {"detail": "response_format: unknown"})
        server.says(good, good)
        answerer = answerer_of()
        with caplog.at_level(logging.WARNING):
            answerer.answer(question, context)
            answerer.answer(question, context)

        formats = [sent.body.get("response_format", {}).get("type") for sent in server.requests]
        assert formats == ["json_schema", "json_object", None, None]
        assert "takes no JSON Schema" in caplog.text
        assert "no JSON mode" in caplog.text

    def test_other_names_and_fixed_temperatures(self, server: ScriptedServer, ask: Ask, good: str) -> None:
        server.replies(400, {"error": {"message": "max_tokens: use 'max_completion_tokens' instead"}})
        server.replies(400, {"error": {"message": "temperature does not support 0 with this model"}})
        server.says(good)
        ask()

        assert "max_tokens" not in server.requests[1].body
        assert server.requests[1].body["max_completion_tokens"] == 2000
        assert "temperature" not in server.requests[2].body

    @pytest.mark.parametrize("times", [1, 3])
    def test_any_other_refusal_stands(self, times: int, server: ScriptedServer, ask: Ask) -> None:
        body = {"error": "the prompt is too long"} if times == 1 else {"error": "schema"}
        for _ in range(times):
            server.replies(400, body)

        with pytest.raises(ServerError, match="refused the request"):
            ask()
