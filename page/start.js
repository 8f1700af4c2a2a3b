// Owns the first view: what there is to see, what is in it, the keys, and the visitor's score.
"use strict";

explorer.views.start = function (main) {
  var make = explorer.make,
    text = explorer.text,
    words = text.start,
    names = Object.keys(explorer.index);
  var facts = names.map(function (name) {
    return words.fact(name, explorer.index[name].version, explorer.index[name].seed);
  });
  var cards = [
    ["stories", "#hi_tom", "hi_tom"],
    ["problems", "#mindgames", "mindgames"],
    ["audit", "#audit", names[0]],
  ];
  var score = explorer.score();
  var forget = make(
    "button",
    {
      type: "button",
      click: function () {
        explorer.keep(explorer.builds(), "{}");
        explorer.page();
      },
    },
    text.forget,
  );
  explorer.fill(
    explorer.empty(main),
    make("div.start", {}, [
      make("h1", {}, text.title),
      make("p.lead", {}, words.lead),
      make("p", {}, words.about(facts) + " " + words.honest),
      make(
        "ul.cards",
        {},
        cards
          .filter(function (card) {
            return explorer.index[card[2]];
          })
          .map(function (card) {
            return make("li", {}, [
              explorer.views.start.sketch[card[0]](),
              make("h2", {}, text.tabs[card[0]]),
              make("p", {}, words[card[0]]),
              make("a.go", { href: card[1] }, words.open[card[0]]),
            ]);
          }),
      ),
      make("div.columns", {}, [
        make("section", {}, [make("h2", {}, words.rows), make("div.scroll", {}, explorer.views.start.table(names))]),
        make("section", {}, [
          make("h2", {}, words.keys),
          make(
            "dl.keys",
            {},
            words.key.map(function (key) {
              return [
                make(
                  "dt",
                  {},
                  key[0].split(" ").map(function (one) {
                    return make("kbd", {}, one);
                  }),
                ),
                make("dd", {}, key[1]),
              ];
            }),
          ),
          make("h2", {}, words.score),
          make("p", {}, score || words.noscore),
          score ? forget : null,
        ]),
      ]),
    ]),
  );
};

// Return the table of configs, each with a link to its first item.
explorer.views.start.table = function (names) {
  var make = explorer.make,
    words = explorer.text.start;
  var rows = names.map(function (name) {
    return explorer.index[name].configs.map(function (config) {
      var scored = config.scored === config.rows ? "all" : config.scored ? "some" : "none";
      return make("tr", {}, [
        make("td", {}, name),
        make("td", {}, make("a", { href: explorer.address([name, config.name]) }, config.name)),
        make("td.number", {}, config.rows.toLocaleString("en")),
        make("td.number", {}, config.texts.toLocaleString("en")),
        make("td.nowrap", {}, words.scored[scored]),
      ]);
    });
  });
  return make("table.plain", {}, [
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        words.head.map(function (head) {
          return make("th", { scope: "col" }, head);
        }),
      ),
    ),
    make("tbody", {}, rows),
  ]);
};

// The sketches of the views; they say nothing that the text does not.
explorer.views.start.sketch = {
  stories: function () {
    var make = explorer.make,
      lanes = [
        [0, 1, 2, 5],
        [0, 1, 1, 2],
        [0, 0, 3, 3],
      ],
      rects = [];
    lanes.forEach(function (lane, x) {
      lane.forEach(function (colour, y) {
        rects.push(make("rect.fill" + colour, { x: 150 + 46 * x, y: 12 + 26 * y, width: 38, height: 26 }));
      });
    });
    var lines = [0, 1, 2, 3].map(function (y) {
      return make("rect.ink", { x: 14, y: 20 + 26 * y, width: [110, 86, 118, 70][y], height: 7, rx: 3 });
    });
    return make("svg", { viewBox: "0 0 300 128", "aria-hidden": "true" }, [lines, rects]);
  },
  problems: function () {
    var make = explorer.make,
      at = [
        [70, 96],
        [150, 96],
        [70, 36],
        [150, 36],
        [120, 70],
        [200, 70],
        [120, 14],
        [200, 14],
      ];
    var edges = [
      [0, 1],
      [2, 3],
      [4, 5],
      [6, 7],
      [0, 2],
      [1, 3],
      [4, 6],
      [5, 7],
      [0, 4],
      [1, 5],
      [2, 6],
      [3, 7],
    ];
    return make("svg", { viewBox: "0 0 300 128", "aria-hidden": "true" }, [
      edges.map(function (edge) {
        var from = at[edge[0]],
          to = at[edge[1]];
        return make("line." + (edge[0] + edge[1] > 8 ? "joined" : "cube"), {
          x1: from[0],
          y1: from[1],
          x2: to[0],
          y2: to[1],
        });
      }),
      at.map(function (point, world) {
        return make("circle." + (world < 3 ? "gone" : "left"), { cx: point[0], cy: point[1], r: 10 });
      }),
    ]);
  },
  audit: function () {
    var make = explorer.make;
    return make(
      "svg",
      { viewBox: "0 0 300 128", "aria-hidden": "true" },
      [
        [40, 150],
        [30, 230],
        [60, 120],
      ].map(function (row, y) {
        return [
          make("line.range", { x1: 20 + row[0], x2: 70 + row[0], y1: 28 + 34 * y, y2: 28 + 34 * y }),
          make("circle.ours", { cx: 45 + row[0], cy: 28 + 34 * y, r: 6 }),
          make("line.range", { x1: row[1], x2: 44 + row[1], y1: 28 + 34 * y, y2: 28 + 34 * y }),
          make("rect.theirs", { x: 17 + row[1], y: 23 + 34 * y, width: 10, height: 10 }),
        ];
      }),
    );
  },
};
