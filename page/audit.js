// Owns the view of the audit: how often each rule is right, ours beside the published data, with intervals.
"use strict";

explorer.views.audit = function (main, place) {
  explorer.await(main, "audit", function (datasets) {
    var dataset = datasets[place.names[1]] ? place.names[1] : Object.keys(datasets)[0];
    explorer.auditView(main, datasets, dataset, place.query);
  });
};

explorer.auditView = function (main, datasets, dataset, query) {
  var make = explorer.make,
    text = explorer.text,
    words = text.audit,
    tables = datasets[dataset].tables;
  var table =
    tables.filter(function (one) {
      return one.name === query.table;
    })[0] || tables[0];
  var group =
    table.groups.filter(function (one) {
      return one.name === query.group;
    })[0] || table.groups[table.groups.length - 1];
  var to = function (change) {
    return function (value) {
      var changed = Object.assign({ table: table.name, group: group.name, rule: query.rule }, {});
      changed[change] = value;
      location.hash = explorer.address(["audit", dataset], changed);
    };
  };
  var view = { dataset: dataset, table: table, group: group, meanings: datasets[dataset].meanings };
  view.rule = Math.max(
    group.rules.findIndex(function (rule) {
      return rule.name === query.rule;
    }),
    0,
  );
  view.list = make("div");
  view.detail = make("section.panel", { role: "status" });
  explorer.fill(explorer.empty(main), [
    make("h1.hidden", {}, text.tabs.audit),
    make(
      "form.bar",
      {
        submit: function (event) {
          event.preventDefault();
        },
      },
      [
        explorer.choice(
          words.dataset,
          Object.keys(datasets).map(function (name) {
            return [name, name];
          }),
          dataset,
          function (value) {
            location.hash = explorer.address(["audit", value], {});
          },
        ),
        explorer.choice(
          words.table,
          tables.map(function (one) {
            return [one.name, words.tables[one.name]];
          }),
          table.name,
          to("table"),
        ),
        explorer.choice(
          words.group,
          table.groups.map(function (one) {
            return [one.name, one.name];
          }),
          group.name,
          to("group"),
        ),
      ],
    ),
    make("p", {}, words.lead + " " + words.rows(group.rows) + "."),
    explorer.auditKey(group),
    make("div.pictures", {}, [view.list, view.detail]),
    make("details", {}, [make("summary", {}, words.numbers), explorer.auditTable(group)]),
  ]);
  explorer.auditList(view);
  explorer.keys = function (key) {
    var step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (!step) return true;
    view.rule = Math.min(Math.max(view.rule + step, 0), group.rules.length - 1);
    explorer.auditList(view, true);
    return false;
  };
};

// Draw one row of the picture: the gate, chance, and both shares with their intervals; from 0 to 1000.
explorer.auditRow = function (rule, chance) {
  var make = explorer.make,
    x = function (share) {
      return (100 * share).toFixed(1) + "%";
    };
  var marks = [];
  if (rule.gate && (rule.gate[0] > 0 || rule.gate[1] < 1)) {
    marks.push(
      make("rect.gate", {
        x: x(rule.gate[0]),
        y: 2,
        width: x(Math.max(rule.gate[1] - rule.gate[0], 0.003)),
        height: 33,
      }),
    );
  }
  marks.push(make("line.chance", { x1: x(chance), x2: x(chance), y1: 0, y2: 37 }));
  [
    ["ours", rule.ours, 12],
    ["published", rule.published, 26],
  ].forEach(function (one) {
    var share = one[1],
      y = one[2];
    if (!share) return;
    marks.push(make("line.range", { x1: x(share[1]), x2: x(share[2]), y1: y, y2: y }));
    marks.push(
      one[0] === "ours"
        ? make("circle.ours", { cx: x(share[0]), cy: y, r: 6 })
        : make(
            "svg",
            { x: x(share[0]), y: y - 6, overflow: "visible" },
            make("rect.theirs", { x: -6, y: 0, width: 12, height: 12 }),
          ),
    );
  });
  return make("svg", { "aria-hidden": "true" }, marks);
};

explorer.auditAxis = function () {
  var make = explorer.make;
  return make("div.axis", { "aria-hidden": "true" }, [
    make("span", {}, ""),
    make(
      "svg",
      {},
      [0, 25, 50, 75, 100].map(function (share) {
        return make(
          "text",
          {
            x: share + "%",
            y: 22,
            style: share === 0 ? "text-anchor: start" : share === 100 ? "text-anchor: end" : "",
          },
          share + " %",
        );
      }),
    ),
  ]);
};

explorer.auditKey = function (group) {
  var make = explorer.make,
    words = explorer.text.audit;
  return make("p.key", {}, [
    make("span", {}, [
      make("svg", { viewBox: "0 0 26 16" }, [
        make("line.range", { x1: 1, x2: 25, y1: 8, y2: 8 }),
        make("circle.ours", { cx: 13, cy: 8, r: 6 }),
      ]),
      " " + words.ours,
    ]),
    make("span", {}, [
      make("svg", { viewBox: "0 0 26 16" }, [
        make("line.range", { x1: 1, x2: 25, y1: 8, y2: 8 }),
        make("rect.theirs", { x: 7, y: 2, width: 12, height: 12 }),
      ]),
      " " + words.published,
    ]),
    make("span", {}, [
      make("svg", { viewBox: "0 0 26 16" }, make("line.chance", { x1: 13, x2: 13, y1: 0, y2: 16 })),
      " " + words.chance + " " + (100 * group.chance).toFixed(0) + " %",
    ]),
    make("span", {}, [
      make("svg", { viewBox: "0 0 26 16" }, make("rect.gate", { x: 2, y: 1, width: 22, height: 14 })),
      " " + words.gate,
    ]),
    make("span.help", {}, words.help),
  ]);
};

// Draw all rules, and beside them the chosen one in every group.
explorer.auditList = function (view, focus) {
  var make = explorer.make,
    words = explorer.text.audit;
  explorer.fill(explorer.empty(view.list), [
    explorer.auditAxis(),
    make(
      "ul.rulelist",
      {},
      view.group.rules.map(function (rule, number) {
        var about =
          rule.name +
          ": " +
          words.ours +
          " " +
          words.share(rule.ours) +
          "; " +
          words.published +
          " " +
          words.share(rule.published);
        return make(
          "li",
          {},
          make(
            "button",
            {
              type: "button",
              "aria-pressed": number === view.rule ? "true" : "false",
              "aria-label": about,
              title: about,
              "data-rule": rule.name,
              click: function () {
                view.rule = number;
                explorer.auditList(view, true);
              },
            },
            [make("span", {}, rule.name), explorer.auditRow(rule, view.group.chance)],
          ),
        );
      }),
    ),
  ]);
  if (focus) {
    view.list.querySelectorAll("button")[view.rule].focus();
    explorer.note(["audit", view.dataset], {
      table: view.table.name,
      group: view.group.name,
      rule: view.group.rules[view.rule].name,
    });
  }
  explorer.auditDetail(view);
};

explorer.auditDetail = function (view) {
  var make = explorer.make,
    words = explorer.text.audit,
    rule = view.group.rules[view.rule];
  explorer.fill(explorer.empty(view.detail), [
    make("h2", {}, words.everywhere(rule.name)),
    view.meanings[rule.name] ? make("p", {}, view.meanings[rule.name] + ".") : null,
    make(
      "ul.rulelist",
      {},
      view.table.groups.map(function (group) {
        var same = group.rules.filter(function (other) {
          return other.name === rule.name;
        })[0];
        if (!same) return null;
        return make(
          "li",
          {},
          make("div.axis", {}, [
            make("span", {}, [
              group.name,
              make(
                "small",
                {},
                " " + words.short(same.ours) + (same.published ? " / " + words.short(same.published) : ""),
              ),
            ]),
            explorer.auditRow(same, group.chance),
          ]),
        );
      }),
    ),
  ]);
};

explorer.auditTable = function (group) {
  var make = explorer.make,
    words = explorer.text.audit;
  return make(
    "div.scroll",
    { tabindex: "0", role: "region", "aria-label": words.numbers },
    make("table.plain", {}, [
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          [words.rule, words.gate, words.ours, words.published].map(function (head) {
            return make("th", { scope: "col" }, head);
          }),
        ),
      ),
      make(
        "tbody",
        {},
        group.rules.map(function (rule) {
          return make("tr", {}, [
            make("th", { scope: "row" }, rule.name),
            make("td", {}, words.bounds(rule.gate)),
            make("td", {}, words.short(rule.ours)),
            make("td", {}, words.short(rule.published)),
          ]);
        }),
      ),
    ]),
  );
};
