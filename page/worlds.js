// Owns how worlds are drawn: a hypercube for up to four agents, groups in a list for more.
"use strict";

// Where the atom of each agent moves a world, from the world where nobody's is true.
explorer.axes = {
  2: [
    [230, 0],
    [0, -150],
  ],
  3: [
    [220, 0],
    [0, -190],
    [105, -85],
  ],
  4: [
    [140, 0],
    [0, -200],
    [62, -82],
    [345, 0],
  ],
};
explorer.most = 96; // so many groups are listed at most

explorer.drawWorlds = function (view, premise, step) {
  var state = explorer.worldStates(premise, step);
  return view.block.names.length <= 4
    ? explorer.hypercube(view, premise, step, state)
    : explorer.worldList(view, premise, step, state);
};

// Return for each world what it is at a step, and which announcement ruled it out. It is gone, or left; in a step of
// the hypothesis it is so (this part is true there), or not.
explorer.worldStates = function (premise, step) {
  var states = {},
    where = step.where === undefined ? [] : explorer.worlds(step.where);
  explorer.worlds(premise.left[0]).forEach(function (world) {
    states[world] = { kind: "gone", by: 0 };
  });
  premise.left.forEach(function (set, number) {
    if (number <= step.left)
      explorer.worlds(set).forEach(function (world) {
        states[world].by = number + 1;
      });
  });
  explorer.worlds(premise.left[step.left]).forEach(function (world) {
    states[world].kind = step.where === undefined ? "left" : "not";
  });
  where.forEach(function (world) {
    states[world].kind = "so";
  });
  return states;
};

explorer.worldNames = function (world, names) {
  return names.filter(function (_, agent) {
    return (world >> agent) & 1;
  });
};

explorer.hypercube = function (view, premise, step, states) {
  var make = explorer.make,
    words = explorer.text.problems,
    names = view.block.names,
    n = names.length;
  var axes = explorer.axes[n] || explorer.axes[2],
    short = explorer.short(names),
    radius = 28;
  var at = function (world) {
    return axes.slice(0, n).reduce(
      function (sum, axis, agent) {
        return (world >> agent) & 1 ? [sum[0] + axis[0], sum[1] + axis[1]] : sum;
      },
      [0, 0],
    );
  };
  var worlds = Object.keys(states).map(Number),
    points = worlds.map(at);
  var xs = points.map(function (one) {
      return one[0];
    }),
    ys = points.map(function (one) {
      return one[1];
    });
  var left = Math.min.apply(null, xs) - 46,
    top = Math.min.apply(null, ys) - 46;
  var box = [left, top, Math.max.apply(null, xs) + 46 - left, Math.max.apply(null, ys) + 46 - top];
  var edge = function (one, other, kind) {
    var from = at(one),
      to = at(other);
    return make("line." + kind, { x1: from[0], y1: from[1], x2: to[0], y2: to[1] });
  };
  var edges = [];
  worlds.forEach(function (world) {
    for (var agent = 0; agent < n; agent++) {
      if (!((world >> agent) & 1)) edges.push(edge(world, world | (1 << agent), "cube"));
    }
  });
  if (view.agent >= 0) {
    explorer.alike(premise, step.left, view.agent).forEach(function (group) {
      explorer.joins(group).forEach(function (join) {
        edges.push(edge(join[0], join[1], "joined"));
      });
    });
  }
  // Rounds have their own numbers; the announcement before the first of them has none.
  var by = function (state) {
    return view.block.problems[view.problem].rounds ? state.by - 1 || "" : state.by;
  };
  var nodes = worlds.map(function (world) {
    var state = states[world],
      point = at(world),
      inside = explorer.worldNames(world, names);
    var kind = state.kind === "so" ? "so" : state.kind === "gone" ? "gone" : "left";
    var label = explorer.worldNames(world, short).join(" ") || "–";
    return make("g.world." + kind, { "data-world": world, "data-state": state.kind }, [
      make("title", {}, words.world(inside, words.state[state.kind])),
      make("circle." + kind, { cx: point[0], cy: point[1], r: radius }),
      kind === "so" ? make("circle.inner", { cx: point[0], cy: point[1], r: radius - 4 }) : null,
      make("text" + (label.length > 5 ? ".long" : ""), { x: point[0], y: point[1] - 4 }, label),
      make("text.number.in", { x: point[0], y: point[1] + 13 }, world),
      kind === "gone" ? make("text.number", { x: point[0] + 31, y: point[1] - 24 }, "✕" + by(state)) : null,
    ]);
  });
  return make("svg.graph", { viewBox: box.join(" "), role: "img", "aria-label": words.graph + ": " + step.title }, [
    edges,
    nodes,
  ]);
};

// Return the lines that join a group: those between worlds that differ in one atom, or all where these are not enough.
explorer.joins = function (group) {
  var near = [],
    all = [];
  group.forEach(function (one, place) {
    group.slice(place + 1).forEach(function (other) {
      var differ = one ^ other;
      all.push([one, other]);
      if (!(differ & (differ - 1))) near.push([one, other]);
    });
  });
  var reached = new Set(group.slice(0, 1)),
    size = 0;
  while (reached.size !== size) {
    size = reached.size;
    near.forEach(function (join) {
      if (reached.has(join[0]) || reached.has(join[1])) {
        reached.add(join[0]);
        reached.add(join[1]);
      }
    });
  }
  return reached.size === group.length ? near : all;
};

explorer.worldList = function (view, premise, step, states) {
  var make = explorer.make,
    words = explorer.text.problems,
    names = view.block.names,
    short = explorer.short(names);
  var groups = explorer.alike(premise, step.left, view.agent);
  var gone = step.left
    ? explorer.worlds(premise.left[step.left - 1]).filter(function (world) {
        return states[world].kind === "gone";
      })
    : [];
  var chip = function (world) {
    var state = states[world].kind,
      kind = state === "so" ? ".so" : state === "gone" ? ".gone" : "";
    return make(
      "span.world" + kind,
      {
        title: words.world(explorer.worldNames(world, names), words.state[state]),
        "data-world": world,
        "data-state": state,
      },
      (state === "so" ? "✓ " : "") + (explorer.worldNames(world, short).join(" ") || "–"),
    );
  };
  return [
    make("div.groups", { tabindex: "0", role: "region", "aria-label": words.graph }, [
      groups.slice(0, explorer.most).map(function (group) {
        return make("div.group" + (group.length > 1 ? ".many" : ""), {}, group.slice(0, explorer.most).map(chip));
      }),
      gone.length && step.where === undefined ? make("div.group", {}, gone.slice(0, explorer.most).map(chip)) : null,
    ]),
    groups.length > explorer.most ? make("p", {}, words.many(explorer.most, groups.length)) : null,
  ];
};
