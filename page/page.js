// Owns what all views share: the address of the page, its data, and how elements are made.
"use strict";

var explorer = { views: {}, text: {}, index: {}, received: {}, waiting: {} };

// Data.

// Take what a data file hands over: JSON, packed by gzip, spelled in base64.
explorer.receive = function (key, packed) {
  explorer.received[key] = packed;
};

// Return a promise of the data of a key, such as "hi_tom/deep"; each is loaded and unpacked once.
explorer.load = function (key) {
  if (!explorer.waiting[key]) {
    explorer.waiting[key] = new Promise(function (resolve, reject) {
      var script = document.createElement("script");
      script.src = "data/" + key.replace("/", "-") + ".js";
      script.onload = function () {
        resolve(explorer.unpack(explorer.received[key]));
      };
      script.onerror = function () {
        delete explorer.waiting[key];
        reject(new Error(script.src));
      };
      document.head.appendChild(script);
    });
  }
  return explorer.waiting[key];
};

// Return a promise of the JSON that a packed text holds.
explorer.unpack = function (packed) {
  var text = atob(packed),
    bytes = new Uint8Array(text.length);
  for (var i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  var stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
};

// Addresses: #dataset/config/id?name=value, #audit/dataset?…, and # for the start.

explorer.place = function () {
  var parts = location.hash.slice(1).split("?"),
    names = parts[0].split("/").map(decodeURIComponent),
    query = {};
  new URLSearchParams(parts.slice(1).join("?")).forEach(function (value, name) {
    query[name] = value;
  });
  return { names: names, query: query };
};

explorer.address = function (names, query) {
  var search = new URLSearchParams();
  Object.keys(query || {}).forEach(function (name) {
    if (query[name] !== "" && query[name] !== undefined && query[name] !== null) search.set(name, query[name]);
  });
  var text = search.toString();
  return "#" + names.map(encodeURIComponent).join("/") + (text ? "?" + text : "");
};

// Write an address without a step in the history, and without drawing again.
explorer.note = function (names, query) {
  history.replaceState(null, "", explorer.address(names, query));
};

// Elements.

// Return an element: its tag with classes ("div.a.b"), its attributes (functions listen), and what it holds.
explorer.make = function (tag, attributes) {
  var names = tag.split("."),
    svg = explorer.make.svg.indexOf(names[0]) >= 0;
  var element = svg
    ? document.createElementNS("http://www.w3.org/2000/svg", names[0])
    : document.createElement(names[0]);
  if (names.length > 1) element.setAttribute("class", names.slice(1).join(" "));
  Object.keys(attributes || {}).forEach(function (name) {
    var value = attributes[name];
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  });
  for (var i = 2; i < arguments.length; i++) explorer.fill(element, arguments[i]);
  return element;
};
explorer.make.svg = ["svg", "g", "line", "circle", "rect", "path", "text", "title", "polygon"];

// Add to an element what it holds: a text, an element, or a list of both.
explorer.fill = function (element, inside) {
  if (Array.isArray(inside))
    inside.forEach(function (one) {
      explorer.fill(element, one);
    });
  else if (inside !== null && inside !== undefined && inside !== false) {
    element.append(inside instanceof Node ? inside : String(inside));
  }
  return element;
};

explorer.empty = function (element) {
  element.replaceChildren();
  return element;
};

// Return a choice with a label: options are [value, words].
explorer.choice = function (label, options, chosen, change) {
  var make = explorer.make;
  return make(
    "label.field",
    {},
    make("span", {}, label),
    make(
      "select",
      {
        change: function (event) {
          change(event.target.value);
        },
      },
      options.map(function (option) {
        return make(
          "option",
          { value: String(option[0]), selected: String(option[0]) === String(chosen || "") },
          option[1],
        );
      }),
    ),
  );
};

// Return the values of all items, sorted, each once.
explorer.values = function (items, value) {
  var found = new Set();
  items.forEach(function (item) {
    var one = value(item);
    if (one !== undefined && one !== null) found.add(one);
  });
  return Array.from(found).sort(function (a, b) {
    return typeof a === "number" ? a - b : String(a) < String(b) ? -1 : 1;
  });
};

// Return short names that tell names apart: their first letters, as many as are needed.
explorer.short = function (names) {
  return names.map(function (name) {
    for (var length = 1; length < name.length; length++) {
      var start = name.slice(0, length);
      if (
        names.filter(function (other) {
          return other.slice(0, length) === start;
        }).length === 1
      )
        return start;
    }
    return name;
  });
};

// The page.

explorer.page = function () {
  var make = explorer.make,
    text = explorer.text,
    place = explorer.place();
  var name = place.names[0] || "start";
  var view = name === "audit" ? "audit" : explorer.index[name] ? (name === "hi_tom" ? "stories" : "problems") : "start";
  if (explorer.index[name] && Number(place.query.ask) > 1) view = "sitting";
  var tabs = [
    ["start", "#"],
    ["stories", "#hi_tom"],
    ["problems", "#mindgames"],
    ["audit", "#audit"],
  ];
  explorer.fill(explorer.empty(document.getElementById("top")), [
    make("a.name", { href: "#" }, text.title),
    make(
      "nav",
      { "aria-label": text.views },
      tabs
        .filter(function (tab) {
          if (view === "sitting") return false; // whoever is asked sees the questions alone
          return tab[0] === "start" || tab[0] === "audit" || explorer.index[tab[1].slice(1)];
        })
        .map(function (tab) {
          return make("a", { href: tab[1], "aria-current": tab[0] === view ? "page" : null }, text.tabs[tab[0]]);
        }),
    ),
    make("button.theme", { type: "button", click: explorer.turn, title: text.theme, "aria-label": text.theme }, "◐"),
  ]);
  document.title = (view === "start" ? "" : text.tabs[view] + " · ") + text.title;
  explorer.keys = null;
  if (explorer.leave) explorer.leave();
  explorer.leave = null;
  document.body.classList.toggle("asking", Boolean(place.query.ask));
  document.body.classList.toggle("sitting", view === "sitting");
  explorer.views[view](document.getElementById("main"), place);
};

// Draw a view once its data are here; say so where they are not.
explorer.await = function (main, key, draw) {
  var text = explorer.text,
    make = explorer.make,
    address = location.hash;
  explorer.fill(explorer.empty(main), make("p.wait", { role: "status" }, text.loading));
  explorer.load(key).then(
    function (data) {
      if (location.hash === address) draw(data);
    },
    function (error) {
      explorer.fill(explorer.empty(main), make("p.wait", { role: "alert" }, text.missing(error.message)));
    },
  );
};

// Turn the page from light to dark, or back.
explorer.turn = function () {
  var root = document.documentElement;
  var dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  explorer.keep("theme", root.dataset.theme);
};

// Keep a value on this computer, or read it; a browser may forbid both.
explorer.keep = function (name, value) {
  try {
    if (value !== undefined) localStorage.setItem("explorer." + name, value);
    return localStorage.getItem("explorer." + name);
  } catch (error) {
    return null;
  }
};

explorer.start = function () {
  var theme = explorer.keep("theme");
  if (theme) document.documentElement.dataset.theme = theme;
  addEventListener("hashchange", explorer.page);
  addEventListener("keydown", function (event) {
    var typing = event.target.closest && event.target.closest("input, select, textarea");
    if (typing || event.altKey || event.ctrlKey || event.metaKey || !explorer.keys) return;
    if (explorer.keys(event.key) !== false) return;
    event.preventDefault();
  });
  explorer.page();
};

// Return for each world that tells the same story or block what it says, beside what the house says.
explorer.elsewhere = function (lines, told) {
  var make = explorer.make,
    words = explorer.text.elsewhere;
  return Object.keys(told || {}).map(function (world) {
    var rows = lines.map(function (line, number) {
      var there = told[world][number] || "";
      return make("tr", {}, [make("th", { scope: "row" }, String(number + 1)), make("td", {}, line), make("td", {}, there)]);
    });
    return make("details.elsewhere", { "data-world": world }, [
      make("summary", {}, words.summary(world)),
      make("table", {}, [
        make(
          "thead",
          {},
          make(
            "tr",
            {},
            ["", words.house, world].map(function (head) {
              return make("th", { scope: "col" }, head);
            }),
          ),
        ),
        make("tbody", {}, rows),
      ]),
    ]);
  });
};
