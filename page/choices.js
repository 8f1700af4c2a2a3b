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
  var configs = explorer.index[dataset].configs;
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
        configs.map(function (one) {
          return [one.name, one.name];
        }),
        config,
        function (value) {
          location.hash = explorer.address([dataset, value], { show: query.show });
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

// Return what shows and hides the answer of a view, for now or always; `show(view, whether)` does it.
explorer.showTools = function (view, show) {
  var text = explorer.text;
  return [
    explorer.make(
      "button",
      {
        type: "button",
        id: "show",
        click: function () {
          show(view, !view.shown);
        },
      },
      view.shown ? text.hide : text.show,
    ),
    explorer.alwaysBox(function () {
      show(view, explorer.always);
    }),
  ];
};

// The score: for each id whether the visitor's first answer was right, and the probe's, null where it has none.

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

explorer.answered = function (id, right, probe) {
  var all = explorer.answers();
  if (all[id]) return;
  all[id] = [right ? 1 : 0, probe === null ? null : probe ? 1 : 0];
  explorer.keep(explorer.builds(), JSON.stringify(all));
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

// Return the config of an id: the one that it begins with, else the first.
explorer.configOfId = function (dataset, id) {
  var configs = explorer.index[dataset].configs.map(function (one) {
    return one.name;
  });
  return (
    configs.filter(function (name) {
      return id.indexOf(name + "-") === 0;
    })[0] || configs[0]
  );
};
