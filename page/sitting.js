// A sitting: so many questions of a config, asked of a person one after the other, and handed over as a file.
"use strict";

// Sittings by their names, for browsers that keep nothing.
explorer.sittings = {};

explorer.views.sitting = function (main, place) {
  var dataset = place.names[0],
    query = place.query,
    config = explorer.configOf(dataset, place.names[1], query),
    seed = query.seed || "0";
  explorer.await(main, dataset + "/" + config, function (data) {
    var items =
      dataset === "mindgames"
        ? explorer.asked.problems(config, data, query)
        : config === "plans"
          ? explorer.asked.plans(data)
          : explorer.asked.stories(config, data, query);
    var drawn = explorer.sample(items, Number(query.ask), seed);
    // Problems of a block stand apart: two of its four are true.
    if (dataset === "mindgames")
      drawn = explorer.scattered(drawn, seed, function (item) {
        return item.id;
      });
    var view = { main: main, dataset: dataset, config: config, seed: seed, items: drawn, person: query.person || "" };
    view.name = "sitting " + explorer.builds() + " " + explorer.address([dataset, config], query);
    view.state = explorer.sittings[view.name] || explorer.sittingKept(view.name) || explorer.sittingNew(view);
    explorer.sittings[view.name] = view.state;
    explorer.sittingDraw(view);
    explorer.leave = function () {
      explorer.sittingTime(view);
      document.onvisibilitychange = null;
    };
  });
};

// What is kept of a sitting: who answers, which question is next, the responses as [response, seconds], by id, and the
// seconds that the present question took before the page was loaded again.
explorer.sittingNew = function (view) {
  return { person: view.person, at: -1, replies: {}, spent: 0 };
};

explorer.sittingKept = function (name) {
  try {
    return JSON.parse(explorer.keep(name) || "null");
  } catch (error) {
    return null;
  }
};

explorer.sittingKeep = function (view) {
  var text = JSON.stringify(view.state);
  view.lost = explorer.keep(view.name, text) !== text;
};

// Add the time since the question was drawn, or since this was last called, to what it took.
explorer.sittingTime = function (view) {
  if (view.since === null) return;
  view.state.spent += (performance.now() - view.since) / 1000;
  view.since = document.hidden ? null : performance.now();
  explorer.sittingKeep(view);
};

explorer.sittingDraw = function (view) {
  var state = view.state,
    ended = state.at >= view.items.length || state.stopped;
  view.since = null;
  explorer.keys = null;
  explorer.empty(view.main);
  scrollTo(0, 0);
  if (!view.items.length)
    explorer.fill(view.main, explorer.make("p.wait", { role: "status" }, explorer.text.sitting.nothing));
  else if (state.at < 0) explorer.sittingBegin(view);
  else if (ended) explorer.sittingEnd(view);
  else explorer.sittingQuestion(view);
  document.onvisibilitychange = function () {
    if (!document.hidden && state.at >= 0 && !ended) view.since = performance.now();
    explorer.sittingTime(view);
  };
};

explorer.sittingButton = function (id, words, click) {
  return explorer.make("button.go", { type: "button", id: id, click: click }, words);
};

// Draw what a person should know first, and where to write a name.
explorer.sittingBegin = function (view) {
  var make = explorer.make,
    words = explorer.text.sitting;
  var name = make("input", { type: "text", id: "person", value: view.person, autocomplete: "off", maxlength: 60 });
  var begin = function () {
    view.state.person = name.value.trim();
    view.state.at = 0;
    explorer.rulesOpen = false;
    explorer.sittingKeep(view);
    explorer.sittingDraw(view);
  };
  explorer.rulesOpen = true;
  explorer.fill(view.main, [
    make("h1", {}, words.title(view.items.length)),
    make(
      "ol.advice",
      {},
      words.advice(view.dataset).map(function (line) {
        return make("li", {}, line);
      }),
    ),
    explorer.rules(view.items[0].rules, words.rules),
    make(
      "form",
      {
        submit: function (event) {
          event.preventDefault();
          begin();
        },
      },
      [
        make("p", {}, make("label.field", {}, [make("span", {}, words.person), name])),
        make("p", {}, make("button.go", { id: "begin" }, words.begin)),
      ],
    ),
  ]);
};

// Draw the question that is next: its rules, its text, its choices, and what goes on.
explorer.sittingQuestion = function (view) {
  var make = explorer.make,
    words = explorer.text.sitting,
    state = view.state,
    item = view.items[state.at],
    before = view.items[state.at - 1],
    total = view.items.length;
  var again = before && before.lines.join() === item.lines.join(),
    same = !before || before.more || before.rules === item.rules,
    rules = item.more ? words.moreRules : same ? words.rules : words.otherRules;
  var head = make("h1", { tabindex: -1, id: "progress" }, words.progress(state.at + 1, total));
  var next = explorer.sittingButton("next", words.next(state.at + 1 === total), function () {
    explorer.sittingNext(view);
  });
  var choices = item.choices.map(function (choice, number) {
    return make("li", {}, [
      make(
        "button",
        {
          type: "button",
          "data-choice": number,
          click: function () {
            explorer.sittingChoose(view, number);
          },
        },
        [make("span.letter", {}, choice.key), " " + choice.said],
      ),
    ]);
  });
  view.choices = choices;
  view.next = next;
  explorer.fill(view.main, [
    make("div.head", {}, [head, make("progress", { value: state.at, max: total, "aria-labelledby": "progress" })]),
    make("div.sheet", {}, [
      make("section.panel" + (item.lines.length > 1 ? ".numbered" : ""), {}, [
        make("h2", {}, words.told[view.dataset] + (again ? words.again : "")),
        item.lines.map(function (line) {
          return make("p", {}, line);
        }),
      ]),
      make("section.question", {}, [
        explorer.rules(item.rules, rules),
        make(view.config === "plans" ? "p" : "p.asked", { id: "asked" }, item.asked),
        make("ol.choices" + (view.config === "plans" ? ".courses" : ""), {}, choices),
        make("p", {}, next),
        make("p.score.help", {}, words.help(item.choices)),
        view.lost ? make("p.note", { role: "alert" }, words.lost) : null,
        make("p", {}, make("button", { type: "button", id: "stop", click: stop }, words.stop)),
      ]),
    ]),
  ]);
  function stop() {
    if (!confirm(words.stops)) return;
    explorer.sittingAnswer(view);
    state.stopped = true;
    explorer.sittingKeep(view);
    explorer.sittingDraw(view);
  }
  explorer.sittingChoose(view, state.chosen);
  view.since = performance.now();
  explorer.keys = function (key) {
    return explorer.sittingKey(view, item, key);
  };
  head.focus({ preventScroll: true });
  if (again) view.main.querySelector(".question").scrollIntoView({ block: "nearest" }); // below, on a telephone
};

// Mark a choice; nobody has chosen where it is undefined.
explorer.sittingChoose = function (view, number) {
  view.choices.forEach(function (one, place) {
    one.firstChild.setAttribute("aria-pressed", place === number ? "true" : "false");
  });
  view.next.disabled = number === undefined;
  if (number === view.state.chosen) return;
  view.state.chosen = number;
  explorer.sittingKeep(view);
};

// Take the choice that is marked, if one is, as the answer, and go to the next question.
explorer.sittingAnswer = function (view) {
  var state = view.state,
    item = view.items[state.at];
  explorer.sittingTime(view);
  view.since = null;
  if (state.chosen === undefined) return;
  state.replies[item.id] = [item.choices[state.chosen].response, Math.round(10 * state.spent) / 10];
  state.spent = 0;
  delete state.chosen;
  state.at += 1;
};

explorer.sittingNext = function (view) {
  if (view.state.chosen === undefined) return;
  explorer.sittingAnswer(view);
  explorer.sittingKeep(view);
  explorer.sittingDraw(view);
};

// Answer a key; return false where it did something. A choice N goes before the next question.
explorer.sittingKey = function (view, item, key) {
  var number = item.choices.findIndex(function (choice) {
    return choice.key.toLowerCase() === key.toLowerCase();
  });
  if (number >= 0) {
    explorer.sittingChoose(view, number);
    view.next.focus({ preventScroll: true }); // Enter goes on, too
  } else if (key === "n") explorer.sittingNext(view);
  else return true;
  return false;
};

// Draw the end: how many were answered, and the file.
explorer.sittingEnd = function (view) {
  var make = explorer.make,
    words = explorer.text.sitting,
    state = view.state,
    count = Object.keys(state.replies).length;
  explorer.fill(view.main, [
    make("h1", { id: "ended" }, state.stopped ? words.stopped : words.ended),
    make("p.lead", { role: "status" }, words.answered(count, view.items.length)),
    count ? make("p", {}, words.send(explorer.sittingFile(view))) : null,
    make("p.tools", {}, [
      count
        ? explorer.sittingButton("download", words.download, function () {
            explorer.sittingDownload(view);
          })
        : null,
      state.at < view.items.length
        ? make(
            "button",
            {
              type: "button",
              id: "goon",
              click: function () {
                delete state.stopped;
                view.handed = false;
                explorer.sittingKeep(view);
                explorer.sittingDraw(view);
              },
            },
            words.goOn,
          )
        : null,
      make(
        "button",
        {
          type: "button",
          id: "anew",
          click: function () {
            if (!view.handed && !confirm(words.forgets)) return;
            explorer.keep(view.name, "");
            view.handed = false;
            view.state = explorer.sittings[view.name] = explorer.sittingNew(view);
            explorer.sittingDraw(view);
          },
        },
        words.anew,
      ),
    ]),
    make("p.note", { role: "status", id: "handed", hidden: !view.handed }, words.handed),
  ]);
};

explorer.sittingFile = function (view) {
  var named = [view.dataset, view.config, view.seed, view.state.person].filter(Boolean).join("-");
  return "answers-" + named.replace(/[^\p{L}\p{N}_-]+/gu, "_") + ".jsonl";
};

// Hand the answers over as JSON lines, which the command score reads; this computer then forgets them.
explorer.sittingDownload = function (view) {
  var state = view.state;
  var lines = Object.keys(state.replies).map(function (id) {
    var line = { id: id, response: state.replies[id][0], seconds: state.replies[id][1] };
    return JSON.stringify(state.person ? Object.assign(line, { person: state.person }) : line) + "\n";
  });
  explorer.save(explorer.sittingFile(view), lines);
  explorer.keep(view.name, "");
  view.handed = true;
  document.getElementById("handed").hidden = false;
};
