// Owns the view of problems: the four problems of a block, the announcements, and each hypothesis from the inside out.
"use strict";

explorer.views.problems = function (main, place) {
  var query = place.query,
    config = explorer.configOf("mindgames", place.names[1], query);
  explorer.await(main, "mindgames/" + config, function (blocks) {
    explorer.blockView(main, config, blocks, place.names[2], query);
  });
};

explorer.blockFilters = function (blocks, scored) {
  var text = explorer.text,
    words = text.problems;
  var any = function (name) {
    return {
      value: function (block) {
        return block.problems[0][name];
      },
      test: function (block, chosen) {
        return block.problems.some(function (problem) {
          return String(problem[name]) === chosen;
        });
      },
    };
  };
  var all = function (name) {
    return explorer.values(
      [].concat.apply(
        [],
        blocks.map(function (block) {
          return block.problems;
        }),
      ),
      function (problem) {
        return problem[name];
      },
    );
  };
  var listed = function (name, label) {
    var values = all(name);
    return Object.assign(any(name), {
      name: name,
      label: label,
      useful: values.length > 1,
      options: [["", text.any]].concat(
        values.map(function (value) {
          return [value, value];
        }),
      ),
    });
  };
  var difficulty = explorer.byDifficulty(function (problem) {
      return problem.difficulty;
    }),
    one = difficulty.test;
  difficulty.useful = scored;
  difficulty.test = function (block, chosen) {
    return block.problems.some(function (problem) {
      return one(problem, chosen);
    });
  };
  return explorer.filters(blocks, [
    {
      name: "setup",
      label: words.setup,
      value: function (block) {
        return block.setup;
      },
    },
    {
      name: "agents",
      label: words.agents,
      value: function (block) {
        return block.names.length;
      },
    },
    listed("order", text.order),
    listed("rung", text.rung),
    listed("needs", words.needs),
    difficulty,
  ]);
};

// Draw the block of an id, which may be that of one of its problems, or the first one that the query asks for.
explorer.blockView = function (main, config, blocks, id, query) {
  var make = explorer.make,
    text = explorer.text;
  var filters = explorer.blockFilters(blocks, explorer.scored("mindgames", config));
  var found = explorer.matching(blocks, filters, query),
    within = function (block) {
      return block.problems.findIndex(function (problem) {
        return problem.id === id;
      });
    };
  var named = blocks.filter(function (one) {
      return one.id === id || within(one) >= 0;
    })[0],
    block = named || found[0];
  var open = function (number) {
    location.hash = explorer.address(["mindgames", config, found[number].id], explorer.lasting(query));
  };
  var jump = function (name) {
    var other = explorer.configOfId("mindgames", name, config);
    if (name) location.hash = explorer.address(["mindgames", other, name], { ask: query.ask });
  };
  explorer.fill(explorer.empty(main), make("h1.hidden", {}, text.tabs.problems));
  explorer.fill(main, explorer.bar("mindgames", config, filters, query, jump));
  if (id && !named) explorer.fill(main, make("p.note", { role: "alert" }, text.unknown(id, config)));
  if (!block) {
    explorer.fill(main, make("p.wait", { role: "status" }, text.none));
    return;
  }
  var view = {
    config: config,
    block: block,
    query: query,
    found: found,
    number: found.indexOf(block),
    open: open,
    chosen: {},
  };
  view.problem = Math.max(within(block), 0);
  view.agent = Math.min(Math.max(Number(query.agent) - 1 || 0, -1), block.names.length - 1);
  if (query.agent === "none") view.agent = -1;
  view.shown = !query.ask && (explorer.always || query.show === "1");
  view.four = make("section.panel");
  view.premise = make("div.premise");
  explorer.fill(main, [view.four, view.premise]);
  var premises = block.premises.map(function (premise) {
    return [premise.setting].concat(premise.announcements).join(" ");
  });
  explorer.fill(main, explorer.elsewhere(premises, block.told));
  view.step = query.step === undefined ? explorer.blockSteps(view).length - 1 : Number(query.step) || 0;
  explorer.blockDraw(view);
  explorer.keys = function (key) {
    return explorer.blockKey(view, key);
  };
};

// Return the worlds of a set, a hexadecimal number, ascending.
explorer.worlds = function (set) {
  var worlds = [];
  for (var place = set.length - 1, world = 0; place >= 0; place--, world += 4) {
    var digit = parseInt(set[place], 16);
    for (var bit = 0; bit < 4; bit++) if ((digit >> bit) & 1) worlds.push(world + bit);
  }
  return worlds;
};

// Whether the answer of a problem is on the page.
explorer.open = function (view, number) {
  return view.shown || view.chosen[number] !== undefined;
};

// Return the premise of the chosen problem. Rounds of answers belong to the problem: what they leave comes behind.
explorer.blockPremiseOf = function (view) {
  var problem = view.block.problems[view.problem],
    premise = view.block.premises[problem.premise],
    more = problem.left || [];
  return Object.assign({}, premise, {
    left: premise.left.concat(more),
    sees: premise.sees.concat(
      more.map(function () {
        return premise.sees[0];
      }),
    ),
  });
};

// Return the steps of the chosen problem: the beginning, each announcement, and where its answer shows each round of
// answers and the hypothesis.
explorer.blockSteps = function (view) {
  var text = explorer.text.problems,
    problem = view.block.problems[view.problem];
  var premise = explorer.blockPremiseOf(view);
  var steps = [
    problem.rounds
      ? { title: premise.worlds, said: "", left: 1 }
      : { title: text.before, said: view.block.names.length > 4 ? premise.worlds : "", left: 0 },
  ];
  var heard = function (sentence, number, why) {
    var from = steps[steps.length - 1].left,
      left = explorer.worlds(premise.left[from + 1]).length;
    var gone = explorer.worlds(premise.left[from]).length - left;
    steps.push({ title: sentence, said: text.gone(gone, left), left: from + 1, why: why && why[number] });
  };
  premise.announcements.forEach(function (sentence, number) {
    heard(sentence, number, premise.why);
  });
  if (!explorer.open(view, view.problem)) return steps;
  (problem.said || []).forEach(function (line, number) {
    heard(line, number);
  });
  problem.steps.forEach(function (step) {
    steps.push({
      title: step[0],
      said: step[3] || "",
      left: premise.left.length - 1,
      where: step[1],
      agent: step[2],
    });
  });
  return steps;
};

explorer.blockDraw = function (view) {
  view.steps = explorer.blockSteps(view);
  view.step = Math.min(Math.max(view.step, 0), view.steps.length - 1);
  explorer.blockFour(view);
  explorer.blockPremise(view);
};

// Draw the problems of the block side by side.
explorer.blockFour = function (view) {
  var make = explorer.make,
    text = explorer.text,
    words = text.problems,
    block = view.block;
  var cards = block.problems.map(function (problem, number) {
    var shown = explorer.open(view, number),
      chosen = view.chosen[number],
      reply = view.query.ask && explorer.reply("mindgames", view.config, problem.id),
      scored = problem.pred !== undefined;
    var answer = function (label) {
      var classes = !shown ? "" : label === problem.label ? ".right" : label === chosen ? ".wrong" : "";
      return make(
        "button" + classes,
        {
          type: "button",
          disabled: shown || Boolean(reply),
          "data-label": label,
          click: function () {
            if (!view.query.ask) view.chosen[number] = label;
            explorer.answered(
              "mindgames",
              view.config,
              problem.id,
              words.replies[label],
              label === problem.label,
              scored ? problem.pred === problem.label : null,
            );
            explorer.blockChoose(view, number, true);
          },
        },
        words.replies[label] + (shown && label === problem.label ? " ✓" : ""),
      );
    };
    return make("li" + (number === view.problem ? ".chosen" : ""), {}, [
      make(
        "button.pick",
        {
          type: "button",
          "aria-pressed": number === view.problem ? "true" : "false",
          click: function () {
            explorer.blockChoose(view, number, false);
          },
        },
        [
          block.premises.length > 1
            ? make("small", {}, words.premise("pq"[problem.premise] || problem.premise + 1))
            : null,
          problem.text,
        ],
      ),
      make("p", {}, [answer("entailment"), " ", answer("not_entailment")]),
      make(
        "small",
        { "data-problem": problem.id, "data-answer": shown ? problem.label : "" },
        shown
          ? [
              words.facts(problem),
              scored ? ". " + text.probe(words.labels[problem.pred], problem.pred === problem.label) : "",
            ]
          : reply
            ? text.noted(reply)
            : "…",
      ),
    ]);
  });
  explorer.fill(explorer.empty(view.four), [
    make("div.head", {}, [make("h2", {}, block.id), explorer.steps(view.found, view.number, view.open)]),
    make("h2", {}, words.four),
    make("ul.cards4", {}, cards),
    explorer.rules(block.rules),
    explorer.tools("mindgames", view, explorer.blockShow),
  ]);
};

explorer.blockChoose = function (view, number, end) {
  view.problem = number;
  if (end) view.step = Infinity;
  explorer.blockDraw(view);
  explorer.blockNote(view);
};

explorer.blockShow = function (view, shown) {
  view.shown = shown && !view.query.ask;
  if (!shown) view.chosen = {};
  view.step = Infinity;
  explorer.blockDraw(view);
  explorer.blockNote(view);
};

// Draw the announcements and the hypothesis as steps, and beside them the worlds at the chosen step.
explorer.blockPremise = function (view) {
  var make = explorer.make,
    words = explorer.text.problems,
    block = view.block,
    problem = block.problems[view.problem];
  var premise = explorer.blockPremiseOf(view),
    step = view.steps[view.step],
    said = premise.announcements.length;
  var item = function (one, number) {
    return make(
      "li",
      {},
      make(
        "button" + (number > view.step ? ".later" : ""),
        {
          type: "button",
          "aria-current": number === view.step ? "step" : null,
          "data-step": number,
          click: function () {
            explorer.blockStep(view, number);
          },
        },
        [one.title, one.said && number <= view.step ? make("small", {}, one.said) : null],
      ),
    );
  };
  var verdict = null;
  if (view.steps.length > said + 1) {
    var all = explorer.worlds(premise.left[premise.left.length - 1]).length,
      so = explorer.worlds(view.steps[view.steps.length - 1].where).length;
    verdict = problem.rounds ? words.truth(problem.label === "entailment") : words.verdict(all - so, all === so);
  }
  explorer.fill(explorer.empty(view.premise), [
    make("section.panel", {}, [
      make("p", {}, premise.setting),
      make("ol.timeline", {}, view.steps.slice(0, said + 1).map(item)),
      make("h2", {}, problem.rounds ? words.rounds : words.hypothesis),
      make("p", {}, make("b", {}, problem.text)),
      verdict === null
        ? make("p.note", {}, words.covered)
        : [
            make(
              "ol.timeline",
              {},
              view.steps.slice(said + 1).map(function (one, number) {
                return item(one, number + said + 1);
              }),
            ),
            make("p", { role: "status" }, make("b", { id: "verdict" }, verdict)),
          ],
    ]),
    make("section.panel", { "aria-label": words.graph }, [
      explorer.blockAgents(view, premise, step),
      explorer.drawWorlds(view, premise, step),
      make("p.legend", {}, [make("span", {}, words.legend), make("span.help", {}, words.help)]),
      step.why
        ? make(
            "div.because",
            {},
            make(
              "ul",
              {},
              step.why.map(function (line) {
                return make("li", {}, line);
              }),
            ),
          )
        : null,
    ]),
  ]);
};

// Draw the choice of an agent, and say what this agent cannot tell apart.
explorer.blockAgents = function (view, premise, step) {
  var make = explorer.make,
    words = explorer.text.problems,
    names = view.block.names;
  var many = explorer.alike(premise, step.left, view.agent).filter(function (group) {
    return group.length > 1;
  }).length;
  var button = function (name, agent) {
    return make(
      "button",
      {
        type: "button",
        "aria-pressed": agent === view.agent ? "true" : "false",
        "data-agent": agent,
        click: function () {
          view.agent = agent;
          explorer.blockPremise(view);
          explorer.blockNote(view);
        },
      },
      name,
    );
  };
  return [
    make("div.agents", { role: "group", "aria-label": words.agent }, [
      make("span", {}, words.agent),
      names.map(button),
      button(words.nobody, -1),
    ]),
    make("p", { role: "status" }, view.agent < 0 ? " " : words.joined(names[view.agent], many)),
  ];
};

// Return the groups of worlds, left after so many announcements, that an agent cannot tell apart.
explorer.alike = function (premise, left, agent) {
  var groups = new Map();
  explorer.worlds(premise.left[left]).forEach(function (world) {
    var key = agent < 0 ? world : world & premise.sees[left][agent];
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(world);
  });
  return Array.from(groups.values());
};

explorer.blockStep = function (view, number) {
  view.step = Math.min(Math.max(number, 0), view.steps.length - 1);
  var step = view.steps[view.step];
  if (step.agent >= 0) view.agent = step.agent;
  var held = view.premise.contains(document.activeElement) && document.activeElement.dataset.step !== undefined;
  explorer.blockPremise(view);
  if (held) view.premise.querySelector("[data-step='" + view.step + "']").focus();
  explorer.blockNote(view);
};

explorer.blockNote = function (view) {
  view.query = Object.assign({}, view.query, {
    step: view.step === view.steps.length - 1 ? "" : view.step,
    agent: view.agent < 0 ? "none" : view.agent + 1,
    show: view.shown && !explorer.always ? 1 : "",
  });
  var id = view.problem ? view.block.problems[view.problem].id : view.block.id;
  explorer.note(["mindgames", view.config, id], view.query);
};

// Answer a key; return false where it did something.
explorer.blockKey = function (view, key) {
  var steps = { ArrowDown: view.step + 1, ArrowUp: view.step - 1, Home: 0, End: view.steps.length - 1 };
  var turn = { ArrowLeft: view.block.names.length, ArrowRight: 2 }[key];
  if (key in steps) explorer.blockStep(view, steps[key]);
  else if (turn) {
    view.agent = ((view.agent + turn) % (view.block.names.length + 1)) - 1;
    explorer.blockPremise(view);
    explorer.blockNote(view);
  } else if (key === "n" && view.number < view.found.length - 1) view.open(view.number + 1);
  else if (key === "p" && view.number > 0) view.open(view.number - 1);
  else if (key === "a") explorer.blockShow(view, !view.shown);
  else return true;
  return false;
};
