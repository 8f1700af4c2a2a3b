// Owns what a visitor chooses, in stories and puzzles alike: filters, the item that is shown, answers and the score.
"use strict";

// Return the filters that have several values among the items, each with its choices.
// A filter is {name, label, value(item)} and may have its own options and test(item, chosen).
explorer.filters = function (items, filters) {
  return filters
    .map(function (filter) {
      var values = filter.options ? [] : explorer.values(items, filter.value);
      var options =
        filter.options ||
        [["", explorer.text.any]].concat(
          values.map(function (value) {
            return [value, value === true ? explorer.text.yes : value === false ? explorer.text.no : value];
          }),
        );
      return Object.assign({}, filter, {
        options: options,
        useful: filter.options ? filter.useful : values.length > 1,
      });
    })
    .filter(function (filter) {
      return filter.useful;
    });
};

// Return the items that have all that the query asks for.
explorer.matching = function (items, filters, query) {
  return items.filter(function (item) {
    return filters.every(function (filter) {
      var chosen = query[filter.name];
      if (!chosen) return true;
      return filter.test ? filter.test(item, chosen) : String(filter.value(item)) === chosen;
    });
  });
};

explorer.byDifficulty = function (value) {
  return {
    name: "difficulty",
    label: explorer.text.difficulty,
    options: explorer.text.difficulties,
    test: function (item, chosen) {
      var score = value(item);
      if (score === undefined) return false;
      return chosen === (score < 0.5 ? "easy" : score < 1 ? "medium" : "hard");
    },
  };
};

// Return the bar of a view: its config, its filters, and where one goes to an id.
explorer.bar = function (dataset, config, filters, query, jump) {
  var make = explorer.make,
    text = explorer.text;
  var configs = explorer.index[dataset].configs.map(function (one) {
    return one.name;
  });
  var plain = explorer.plain(config),
    spoken = configs.filter(function (name) {
      return explorer.plain(name) === plain;
    });
  var input = make("input", {
    type: "text",
    size: 22,
    spellcheck: "false",
    autocomplete: "off",
    "aria-label": text.jump,
    placeholder: dataset === "hi_tom" ? "deep-test-000404-4" : "deep-forehead-test-000002",
  });
  return make(
    "form.bar",
    {
      submit: function (event) {
        event.preventDefault();
        jump(input.value.trim());
      },
    },
    [
      explorer.choice(
        text.config,
        configs
          .filter(function (name) {
            return explorer.plain(name) === name;
          })
          .map(function (name) {
            return [name, name];
          }),
        plain,
        function (value) {
          var said = explorer.inLanguage(dataset, value, config);
          location.hash = explorer.address([dataset, said], { show: query.show, ask: query.ask });
        },
      ),
      spoken.length > 1 &&
        explorer.choice(
          text.language,
          spoken.map(function (name) {
            return [name, explorer.languageName(name)];
          }),
          config,
          function (value) {
            location.hash = explorer.address([dataset, value].concat(explorer.place().names.slice(2)), query);
          },
        ),
      filters.map(function (filter) {
        return explorer.choice(filter.label, filter.options, query[filter.name], function (value) {
          var changed = Object.assign({}, explorer.lasting(query));
          changed[filter.name] = value;
          location.hash = explorer.address([dataset, config], changed);
        });
      }),
      make("label.field", {}, [
        make("span", {}, text.jump),
        make("span.pair", {}, [input, make("button", {}, text.go)]),
      ]),
    ],
  );
};

// Return what of a query stays when another item is shown.
explorer.lasting = function (query) {
  var kept = Object.assign({}, query);
  ["line", "lane", "step", "agent", "problem", "show"].forEach(function (name) {
    delete kept[name];
  });
  return kept;
};

// Return the buttons to the item before and after, with its place among all.
explorer.steps = function (found, number, open) {
  var make = explorer.make,
    text = explorer.text;
  var shown = number < 0 ? "– / " + found.length.toLocaleString("en") : text.counted(number + 1, found.length);
  return make("p.steps", {}, [
    make(
      "button",
      {
        type: "button",
        disabled: number <= 0,
        click: function () {
          open(number - 1);
        },
      },
      "‹ " + text.previous,
    ),
    make("span", {}, shown),
    make(
      "button",
      {
        type: "button",
        disabled: number >= found.length - 1,
        click: function () {
          open(number + 1);
        },
      },
      text.next + " ›",
    ),
  ]);
};

// Whether answers are shown unasked: until the page is left.
explorer.always = false;

explorer.alwaysBox = function (redraw) {
  var make = explorer.make;
  return make("label.check", {}, [
    make("input", {
      type: "checkbox",
      checked: explorer.always,
      change: function (event) {
        explorer.always = event.target.checked;
        redraw();
      },
    }),
    explorer.text.always,
  ]);
};

// Return the tools of a view: what shows and hides the answer, for now or always (`show(view, whether)` does it), what
// asks only, the score, the visitor's answers as a file, and what the view adds.
explorer.tools = function (dataset, view, show, more) {
  var make = explorer.make,
    text = explorer.text,
    ask = view.query.ask,
    mine = explorer.mine(dataset, view.config);
  var button = function (id, words, click) {
    return make("button", { type: "button", id: id, click: click }, words);
  };
  return make("p.tools", {}, [
    ask
      ? null
      : [
          button("show", view.shown ? text.hide : text.show, function () {
            show(view, !view.shown);
          }),
          explorer.alwaysBox(function () {
            show(view, explorer.always);
          }),
        ],
    make("label.check", {}, [
      make("input", {
        type: "checkbox",
        id: "ask",
        checked: Boolean(ask),
        change: function (event) {
          var query = Object.assign(explorer.lasting(view.query), { ask: event.target.checked ? 1 : "" });
          location.hash = explorer.address(explorer.place().names, query);
        },
      }),
      text.ask,
    ]),
    more,
    make("span.score", {}, ask ? text.answered(mine.length) : explorer.score()),
    mine.length
      ? button("download", text.download, function () {
          explorer.download(dataset, view.config);
        })
      : null,
    explorer.scored(dataset, view.config) || ask ? null : make("span.unscored", {}, text.unscored),
  ]);
};

explorer.rulesOpen = false;

// Return the rules of a prompt, folded as the visitor left them, under a title.
explorer.rules = function (rules, title) {
  var make = explorer.make;
  var toggle = function (event) {
    explorer.rulesOpen = event.target.open;
  };
  return make("details.rules", { open: explorer.rulesOpen, toggle: toggle }, [
    make("summary", {}, title || explorer.text.rules),
    make("p", {}, rules),
  ]);
};

// The score: for each question the visitor's first answer as [right, the probe's or null, the reply in words].

// Return the name under which the score is kept: that of the builds, as another seed has other rows of the same ids.
explorer.builds = function () {
  return Object.keys(explorer.index)
    .map(name => [name, explorer.index[name].version, explorer.index[name].seed].join(" "))
    .join(", ");
};

explorer.answers = function () {
  try {
    return JSON.parse(explorer.keep(explorer.builds()) || "{}");
  } catch (error) {
    return {};
  }
};

explorer.answered = function (dataset, config, id, reply, right, probe) {
  var all = explorer.answers(),
    key = [dataset, config, id].join("/");
  if (all[key]) return;
  all[key] = [right ? 1 : 0, probe === null ? null : probe ? 1 : 0, reply];
  explorer.keep(explorer.builds(), JSON.stringify(all));
};

// Return the visitor's replies to a config, as {id, response}.
explorer.mine = function (dataset, config) {
  var all = explorer.answers(),
    start = dataset + "/" + config + "/";
  return Object.keys(all)
    .filter(function (key) {
      return key.indexOf(start) === 0;
    })
    .map(function (key) {
      return { id: key.slice(start.length), response: all[key][2] };
    });
};

// Return the visitor's reply to a question, undefined before it.
explorer.reply = function (dataset, config, id) {
  return (explorer.answers()[[dataset, config, id].join("/")] || [])[2];
};

// Hand the visitor's replies over as JSON lines, which the command score reads.
explorer.download = function (dataset, config) {
  var lines = explorer.mine(dataset, config).map(function (one) {
    return JSON.stringify(one) + "\n";
  });
  explorer.save("answers-" + dataset + "-" + config + ".jsonl", lines);
};

// Save lines as a file of this name.
explorer.save = function (name, lines) {
  var link = explorer.make("a", {
    href: URL.createObjectURL(new Blob(lines, { type: "application/jsonl" })),
    download: name,
  });
  link.click();
};

explorer.score = function () {
  var all = Object.values(explorer.answers());
  if (!all.length) return "";
  var sum = function (values) {
    return values.reduce(function (one, other) {
      return one + other;
    }, 0);
  };
  var scored = all.filter(function (one) {
    return one[1] !== null;
  });
  return explorer.text.score(
    sum(
      all.map(function (one) {
        return one[0];
      }),
    ),
    all.length,
    sum(
      scored.map(function (one) {
        return one[1];
      }),
    ),
    scored.length,
  );
};

// Return whether a config has scores of the probe.
explorer.scored = function (dataset, config) {
  return explorer.index[dataset].configs.some(function (one) {
    return one.name === config && one.scored > 0;
  });
};

// Return the config that an address names: one of the index, or a part of the default one with what it fixes.
explorer.configOf = function (dataset, name, query) {
  var configs = explorer.index[dataset].configs.map(function (one) {
    return one.name;
  });
  if (!name || configs.indexOf(name) >= 0) return name || configs[0];
  var order = /^(\d+)\w\w_order$/.exec(name);
  if (order) query.order = query.order || order[1];
  else if (dataset === "mindgames") query.setup = query.setup || name;
  return configs[0];
};

// Return the config of an id, in the language of another config: the one that it begins with, else the first.
explorer.configOfId = function (dataset, id, config) {
  var configs = explorer.index[dataset].configs.map(function (one) {
    return one.name;
  });
  var plain = configs.filter(function (name) {
    return id.indexOf(name + "-") === 0;
  })[0];
  return explorer.inLanguage(dataset, plain || configs[0], config);
};

// Return the name of a config without its language: deep of deep_fr.
explorer.plain = function (config) {
  return config.replace(/_[a-z]{2}$/, "");
};

// Return the name of a config's language, as its speakers call it.
explorer.languageName = function (config) {
  var code = config.slice(explorer.plain(config).length + 1) || "en";
  return new Intl.DisplayNames([code], { type: "language" }).of(code);
};

// Return a config in the language of another one, or as it is where it has no such language.
explorer.inLanguage = function (dataset, config, other) {
  var said = config + other.slice(explorer.plain(other).length);
  var known = explorer.index[dataset].configs.some(function (one) {
    return one.name === said;
  });
  return known ? said : config;
};
