// Owns the view of courses of action: the question, a shortest course that wins, and an episode to be played.
"use strict";

explorer.planView = function (main, config, items, id, query) {
  var make = explorer.make,
    text = explorer.text,
    words = text.plans;
  var of = function (name) {
    return function (item) {
      return item[name];
    };
  };
  var filters = explorer.filters(items, [
    { name: "acts", label: words.acts, value: of("acts") },
    { name: "order", label: text.order, value: of("order") },
  ]);
  var found = explorer.matching(items, filters, query);
  var named = items.filter(function (one) {
    return one.id === id;
  })[0];
  var item = named || found[0];
  var open = function (number) {
    location.hash = explorer.address(["hi_tom", config, found[number].id], explorer.lasting(query));
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
  var view = { config: config, item: item, query: query, found: found, open: open, number: found.indexOf(item) };
  view.shown = !query.ask && (explorer.always || query.show === "1");
  view.panel = make("section.question");
  view.game = make("section.panel", { "aria-label": words.play });
  explorer.fill(main, [view.panel, query.ask ? null : view.game]);
  explorer.planQuestion(view);
  explorer.planBegin(view);
  explorer.keys = function (key) {
    if (key === "n" && view.number < found.length - 1) open(view.number + 1);
    else if (key === "p" && view.number > 0) open(view.number - 1);
    else if (key === "a") explorer.planShow(view, !view.shown);
    else return true;
    return false;
  };
};

// Draw the story, the question, its courses of action, and what each of them reaches.
explorer.planQuestion = function (view) {
  var make = explorer.make,
    text = explorer.text,
    item = view.item;
  var reply = view.query.ask && explorer.reply("hi_tom", view.config, item.id);
  var list = function (tag, lines) {
    return make(
      tag,
      {},
      lines.map(function (line) {
        return make("li", {}, line);
      }),
    );
  };
  var answer = explorer.letter(item.answer);
  var verdict =
    view.chosen === undefined ? text.shown(answer) : view.chosen === item.answer ? text.right : text.wrong(answer);
  explorer.fill(explorer.empty(view.panel), [
    make("div.head", {}, [make("h2", {}, item.id), explorer.steps(view.found, view.number, view.open)]),
    make("p.told", {}, item.story.join("\n")),
    make("p.told", {}, item.question),
    make(
      "ol.choices.courses",
      {},
      item.choices.map(function (choice, number) {
        var right = number === item.answer;
        return make(
          "li",
          {},
          make(
            "button" + (!view.shown ? "" : right ? ".right" : number === view.chosen ? ".wrong" : ""),
            {
              type: "button",
              disabled: view.shown || Boolean(reply),
              "data-choice": number,
              click: function () {
                view.chosen = number;
                var said = explorer.letter(number) + ". " + choice;
                explorer.answered("hi_tom", view.config, item.id, said, right, null);
                explorer.planShow(view, true);
              },
            },
            [make("span.letter", {}, explorer.letter(number)), " " + choice + (view.shown && right ? " ✓" : "")],
          ),
        );
      }),
    ),
    make("p.notes", { role: "status" }, [
      reply ? text.noted(reply) : null,
      view.shown ? make("strong", { id: "answer", "data-answer": item.choices[item.answer] }, verdict) : null,
    ]),
    view.shown ? [list("ul.because", item.why), make("h3", {}, text.plans.solution(item.acts))] : null,
    view.shown ? list("ol.solution", item.solution) : null,
    explorer.rules(item.rules),
    explorer.tools("hi_tom", view, explorer.planShow),
  ]);
};

explorer.planShow = function (view, shown) {
  view.shown = shown && !view.query.ask;
  if (!shown) delete view.chosen;
  explorer.planQuestion(view);
  explorer.note(
    ["hi_tom", view.config, view.item.id],
    Object.assign({}, view.query, { show: view.shown && !explorer.always ? 1 : "" }),
  );
};

// Return all lines of a kind: they differ in the name of the container, from the fourth kind on.
explorer.planLines = function (item, kind) {
  var first = item.lines[kind];
  return (kind < 3 ? item.containers.slice(0, 1) : item.containers).map(function (name) {
    return first.replace(item.containers[0], name);
  });
};

// Begin an episode anew.
explorer.planBegin = function (view) {
  view.played = { node: 0, turn: 0, acts: 0, believed: view.item.begun, told: [], kind: 0, container: 0 };
  explorer.planDraw(view);
};

// Write over beliefs what a turn changes.
explorer.planOver = function (believed, changed) {
  return Array.from(changed, function (code, place) {
    return code === "." ? believed[place] : code;
  }).join("");
};

// Play a line of the player: a kind of acts, and which of its kind.
explorer.planStep = function (view, kind, which) {
  var item = view.item,
    now = view.played,
    words = explorer.text.plans;
  var line = explorer.planLines(item, kind)[which],
    round = item.rounds[now.turn],
    ways = item.nodes[now.node][0],
    doings = ways.length - item.containers.length; // before the places to which the thing may be moved
  var claim = kind > 3 ? item.nodes[now.node][1][kind - 4] : 0,
    way = kind > 3 ? ways[0] : ways[kind === 3 ? doings + which : kind];
  var fault = typeof claim === "string" ? claim : typeof way === "string" ? way : null;
  if (fault) way = ways[0];
  else if (kind > 3)
    now.believed = Array.from(now.believed, function (code, place) {
      return (claim >> place) & 1 ? String(which) : code;
    }).join("");
  now.told.push(fault ? words.nothing(line, item.faults[fault]) : line);
  if (!fault && round.heard.indexOf(kind) >= 0) now.told.push(round.overheard);
  now.told = now.told.concat(
    round.lines.filter(function (_, place) {
      return way[2].indexOf(place) < 0;
    }),
  );
  now.node = way[0];
  now.believed = explorer.planOver(now.believed, way[1]);
  now.acts += !fault && kind > 0 ? 1 : 0;
  now.turn += 1;
  explorer.planDraw(view);
};

// Return whether a goal holds: [text, kind, its chain, a container or the chain of the rest].
explorer.planHolds = function (believed, goal) {
  return goal[1] === "is"
    ? believed[goal[2]] === String(goal[3])
    : (believed[goal[2]] === believed[goal[3]]) === (goal[1] === "right");
};

// Draw what was played, and what can be written next.
explorer.planDraw = function (view) {
  var make = explorer.make,
    words = explorer.text.plans,
    item = view.item,
    now = view.played,
    over = now.turn === item.rounds.length;
  var lines = explorer.planLines(item, now.kind);
  if (now.container >= lines.length) now.container = 0;
  var choose = function (name) {
    return function (value) {
      now[name] = Number(value);
      explorer.planDraw(view);
    };
  };
  var numbered = function (texts) {
    return texts.map(function (one, number) {
      return [number, one];
    });
  };
  var reached = item.goals.map(function (goal) {
    return explorer.planHolds(now.believed, goal);
  });
  explorer.fill(explorer.empty(view.game), [
    make("h2", {}, words.play),
    make(
      "ol.played",
      {},
      now.told.map(function (line) {
        return make("li", {}, line);
      }),
    ),
    over
      ? make("div.ended", { role: "status", "data-won": reached.every(Boolean) ? "1" : "0" }, [
          make("p", {}, make("strong", {}, words.over(reached.every(Boolean), now.acts, item.acts))),
          make(
            "ul",
            {},
            item.goals.map(function (goal, number) {
              return make("li", {}, words.goal(reached[number], goal[0]));
            }),
          ),
        ])
      : make("div.bar", {}, [
          explorer.choice(words.turn(now.turn + 1, item.rounds.length), numbered(item.lines), now.kind, choose("kind")),
          lines.length > 1 ? explorer.choice(words.which, numbered(lines), now.container, choose("container")) : null,
          make(
            "button",
            {
              type: "button",
              id: "write",
              click: function () {
                explorer.planStep(view, now.kind, now.container);
              },
            },
            words.write,
          ),
        ]),
    make(
      "button",
      {
        type: "button",
        id: "anew",
        click: function () {
          explorer.planBegin(view);
        },
      },
      words.anew,
    ),
  ]);
};
