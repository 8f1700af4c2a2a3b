// Owns the view of stories: the numbered lines, who is where, and a lane for what each subchain believes.
"use strict";

explorer.views.stories = function (main, place) {
  var query = place.query,
    config = explorer.configOf("hi_tom", place.names[1], query);
  explorer.await(main, "hi_tom/" + config, function (stories) {
    if (config === "plans") return explorer.planView(main, config, stories, place.names[2], query);
    if (!stories.items) {
      stories.items = [];
      stories.forEach(function (story) {
        story.questions.forEach(function (question) {
          stories.items.push({ story: story, question: question });
        });
      });
    }
    explorer.storyView(main, config, stories.items, place.names[2], query);
  });
};

explorer.storyFilters = function (items, scored) {
  var words = explorer.text.stories,
    text = explorer.text;
  var of = function (name) {
    return function (item) {
      return item.question[name];
    };
  };
  var difficulty = Object.assign(explorer.byDifficulty(of("difficulty")), { useful: scored });
  return explorer.filters(items, [
    { name: "kind", label: words.kind, value: of("kind") },
    { name: "order", label: text.order, value: of("order") },
    { name: "rung", label: text.rung, value: of("rung") },
    { name: "needs", label: words.needs, value: of("needs") },
    { name: "undisputed", label: words.undisputed, value: of("undisputed") },
    {
      name: "claims",
      label: words.claims,
      value: function (item) {
        return item.story.claims;
      },
    },
    difficulty,
  ]);
};

// Draw the question of an id, or the first one that the query asks for.
explorer.storyView = function (main, config, items, id, query) {
  var make = explorer.make,
    text = explorer.text,
    words = text.stories;
  var filters = explorer.storyFilters(items, explorer.scored("hi_tom", config));
  var found = explorer.matching(items, filters, query);
  var named = items.filter(function (one) {
    return one.question.id === id || one.story.id === id;
  })[0];
  var item = named || found[0];
  var open = function (number) {
    location.hash = explorer.address(["hi_tom", config, found[number].question.id], explorer.lasting(query));
  };
  var jump = function (name) {
    var other = explorer.configOfId("hi_tom", name, config);
    if (name) location.hash = explorer.address(["hi_tom", other, name], { ask: query.ask });
  };
  explorer.fill(explorer.empty(main), make("h1.hidden", {}, text.tabs.stories));
  explorer.fill(main, explorer.bar("hi_tom", config, filters, query, jump));
  if (id && !named) explorer.fill(main, make("p.note", { role: "alert" }, text.unknown(id, config)));
  if (!item) {
    explorer.fill(main, make("p.wait", { role: "status" }, text.none));
    return;
  }
  var view = { main: main, config: config, item: item, query: query, found: found, open: open };
  view.number = found.indexOf(item);
  view.shown = !query.ask && (explorer.always || query.show === "1");
  view.panel = make("section.question");
  view.board = make("div.board", { tabindex: "0", role: "region", "aria-label": words.line });
  view.reason = make("div.reason", { role: "status", "aria-live": "polite" });
  explorer.fill(main, [view.panel, make("div.watched", {}, [view.board, view.reason])]);
  explorer.fill(main, explorer.elsewhere(item.story.lines, item.story.told));
  var last = item.story.lines.length - 1;
  view.home = item.question.at === undefined ? last : item.question.at; // a question of the past begins at its line
  view.line = query.line ? Math.min(Math.max(Number(query.line) - 1 || 0, 0), last) : view.home;
  explorer.storyLanes(view);
  var lane = view.lanes.findIndex(function (one) {
    return (one.key || "really") === query.lane;
  });
  view.lane = lane >= 0 ? lane : view.lanes.length - 1;
  explorer.storyQuestion(view);
  explorer.storyBoard(view);
  explorer.keys = function (key) {
    return explorer.storyKey(view, key);
  };
};

// Draw the question, its choices, and what is said of the answer.
explorer.storyQuestion = function (view) {
  var make = explorer.make,
    text = explorer.text,
    words = text.stories;
  var story = view.item.story,
    question = view.item.question,
    scored = question.pred !== undefined;
  var place = function (choice) {
    return typeof choice === "number" ? story.places[choice] : choice;
  };
  var answer = place(question.choices[question.answer]);
  var verdict =
    view.chosen === undefined ? text.shown(answer) : view.chosen === question.answer ? text.right : text.wrong(answer);
  var reply = view.query.ask && explorer.reply("hi_tom", view.config, question.id);
  var notes = reply ? [text.noted(reply)] : [];
  if (view.shown) {
    notes.push(make("strong", { id: "answer", "data-answer": answer }, verdict), " ");
    if (scored) notes.push(text.probe(place(question.choices[question.pred]), question.pred === question.answer), " ");
    if (question.kind) notes.push(words.minds(question.order));
    else notes.push(words.facts(question));
    if (question.disputed) notes.push(" ", question.disputed, ".");
    if (question.other)
      notes.push(" ", words.other(question.other[0], story.places[question.other[1]], question.other[2] + 1));
  }
  explorer.fill(explorer.empty(view.panel), [
    make("div.head", {}, [make("h2", {}, question.id), explorer.steps(view.found, view.number, view.open)]),
    make("p.asked", {}, question.text),
    make(
      "ol.choices",
      {},
      question.choices.map(function (choice, number) {
        var classes = view.shown
          ? number === question.answer
            ? ".right"
            : number === view.chosen
              ? ".wrong"
              : ""
          : "";
        return make(
          "li",
          {},
          make(
            "button" + classes,
            {
              type: "button",
              disabled: view.shown || Boolean(reply),
              "data-choice": number,
              click: function () {
                view.chosen = number;
                explorer.answered(
                  "hi_tom",
                  view.config,
                  question.id,
                  explorer.letter(number) + ". " + place(choice),
                  number === question.answer,
                  scored ? question.pred === question.answer : null,
                );
                explorer.storyShow(view, true);
              },
            },
            [
              make("span.letter." + explorer.colour(view, choice), {}, explorer.letter(number)),
              " " +
                place(choice) +
                (!view.shown ? "" : number === question.answer ? " ✓" : number === view.chosen ? " ✗" : ""),
            ],
          ),
        );
      }),
    ),
    make("p.notes", { role: "status" }, notes),
    view.shown && question.why
      ? make(
          "ol.because",
          {},
          question.why.map(function (step) {
            return make("li", {}, step);
          }),
        )
      : null,
    explorer.rules(story.rules + (question.rule ? "\n" + question.rule : "")),
    explorer.tools(
      "hi_tom",
      view,
      explorer.storyShow,
      question.chain.length > 1 && !view.query.ask
        ? explorer.choice(words.lanes, words.which, view.query.lanes || "all", function (value) {
            var query = Object.assign({}, view.query, {
              lanes: value === "all" ? "" : value,
              show: view.shown ? 1 : "",
            });
            location.hash = explorer.address(["hi_tom", view.config, question.id], query);
          })
        : null,
    ),
  ]);
};

explorer.storyShow = function (view, shown) {
  view.shown = shown && !view.query.ask;
  if (!shown) delete view.chosen;
  explorer.storyQuestion(view);
  explorer.storyBoard(view);
  explorer.storyNote(view);
};

// Choose the cell under the mouse, or only say its reason.
explorer.storyPoint = function (view, target, choose) {
  var cell = target.closest("td, th"),
    row = target.closest("tr");
  if (!cell || !row || row.dataset.line === undefined) return;
  var line = Number(row.dataset.line),
    lane = cell.dataset.lane === undefined ? view.lane : Number(cell.dataset.lane);
  if (choose) explorer.storyStep(view, line, lane, true);
  else if (cell.dataset.lane !== undefined) explorer.storyReason(view, line, lane);
};

// Go to a line and a lane: what comes later is faded.
explorer.storyStep = function (view, line, lane, note) {
  view.line = Math.min(Math.max(line, 0), view.rows.length - 1);
  view.lane = Math.min(Math.max(lane, 0), view.lanes.length - 1);
  view.rows.forEach(function (row, number) {
    row.classList.toggle("now", number === view.line);
    row.classList.toggle("later", number > view.line);
    row.querySelectorAll("td.lane").forEach(function (cell, column) {
      cell.classList.toggle("chosen", number === view.line && column === view.lane);
    });
  });
  view.board.querySelectorAll("th.lane").forEach(function (head, column) {
    head.classList.toggle("chosen", column === view.lane);
  });
  explorer.storyReason(view, view.line, view.lane);
  if (note) {
    explorer.storyReach(view, true);
    explorer.storyNote(view);
  }
};

// Say why a line taught a lane, or why not, and what the lane believes there.
explorer.storyReason = function (view, line, lane) {
  var make = explorer.make,
    words = explorer.text.stories,
    story = view.item.story;
  explorer.empty(view.reason);
  view.reason.hidden = !view.shown;
  if (!view.shown) return;
  var one = view.lanes[lane],
    cell = one.cells[line];
  var names = one.agents.map(function (agent) {
    return story.agents[agent];
  });
  var reason = cell.code === null || cell.code < 0 ? "" : story.reasons[Math.floor(cell.code / 2)];
  var why = !cell.about
    ? words.silent
    : cell.taught
      ? words.news(reason)
      : cell.code < 0
        ? words.same
        : words.missed(reason);
  explorer.fill(view.reason, [
    make("p.what", {}, [make("b", {}, line + 1 + " "), story.lines[line]]),
    make("p.why", {}, [make("b", {}, words.lane(names) + ": "), why]),
    make("p.so", {}, [
      cell.place === null ? words.nothing : words.belief(story.places[cell.place], cell.since.line + 1),
      cell.place !== null && !cell.taught ? " " + words.last(cell.since.line + 1, cell.since.reason) : "",
    ]),
  ]);
};

explorer.storyNote = function (view) {
  var query = Object.assign({}, view.query, {
    line: view.line === view.home ? "" : view.line + 1,
    lane: view.lane === view.lanes.length - 1 ? "" : view.lanes[view.lane].key || "really",
    show: view.shown && !explorer.always ? 1 : "",
  });
  view.query = query;
  explorer.note(["hi_tom", view.config, view.item.question.id], query);
};

// Answer a key; return false where it did something.
explorer.storyKey = function (view, key) {
  var line = view.line,
    lane = view.lane,
    last = view.rows.length - 1;
  var lines = { ArrowDown: line + 1, ArrowUp: line - 1, Home: 0, End: last };
  var lanes = { ArrowLeft: lane - 1, ArrowRight: lane + 1 };
  if (key in lines) explorer.storyStep(view, lines[key], lane, true);
  else if (key in lanes && view.shown) explorer.storyStep(view, line, lanes[key], true);
  else if (key === "n" && view.number < view.found.length - 1) view.open(view.number + 1);
  else if (key === "p" && view.number > 0) view.open(view.number - 1);
  else if (key === "a") explorer.storyShow(view, !view.shown);
  else return true;
  return false;
};
