// Owns the lanes of a story: what each subchain believes at each line, and how lines and lanes are drawn.
"use strict";

// Find the lanes of a question, each with what it believes at every line.
explorer.storyLanes = function (view) {
  var story = view.item.story,
    question = view.item.question,
    chain = question.chain,
    told = question.lanes ? question : story, // a struck line leaves other lessons
    lanes = [];
  for (var mask = 0; mask < 1 << chain.length; mask++) {
    var agents = chain.filter(function (_, position) {
      return (mask >> position) & 1;
    });
    var end = agents.join() === chain.slice(chain.length - agents.length).join();
    if (view.query.lanes === "ends" && !end) continue;
    lanes.push({ agents: agents, key: agents.join(), mask: mask });
  }
  lanes.sort(function (one, other) {
    return one.agents.length - other.agents.length || one.mask - other.mask;
  });
  lanes.forEach(function (lane) {
    var codes = told.lanes[lane.key],
      next = 0,
      place = null,
      since = null;
    lane.cells = story.lines.map(function (_, line) {
      var code = null,
        about = next < told.lessons.length && told.lessons[next][0] === line;
      if (about) {
        code = codes[next];
        if (code >= 0 && code % 2 === 0) {
          place = told.lessons[next][1];
          since = { line: line, reason: story.reasons[code / 2] };
        }
        next++;
      }
      return { about: about, code: code, taught: since !== null && since.line === line, place: place, since: since };
    });
  });
  view.lanes = lanes;
};

explorer.letter = function (number) {
  return String.fromCharCode(65 + number);
};

// Return the class of a choice's colour: containers in the order in which the thing is seen or said to be there.
explorer.colour = function (view, choice) {
  if (!view.colours) {
    view.colours = {};
    var next = 0;
    view.item.story.lessons.forEach(function (lesson) {
      if (view.colours[lesson[1]] === undefined) view.colours[lesson[1]] = "c" + (next++ % 16);
    });
  }
  return (view.shown && view.colours[choice]) || "bare";
};

// Draw the lines, who is where at each, and the lanes.
explorer.storyBoard = function (view) {
  var make = explorer.make,
    words = explorer.text.stories,
    story = view.item.story,
    choices = view.item.question.choices;
  var short = explorer.short(story.agents),
    mark = {};
  words.marks.forEach(function (one) {
    mark[one[0]] = one;
  });
  var heads = view.lanes.map(function (lane, number) {
    var names = lane.agents.map(function (agent) {
      return story.agents[agent];
    });
    var starts = number && lane.agents.length !== view.lanes[number - 1].agents.length;
    return make(
      "th.lane" + (starts ? ".starts" : ""),
      {
        scope: "col",
        title: words.lane(names),
        "aria-label": words.lane(names),
        "data-chain": names.join(),
      },
      names.length
        ? lane.agents.map(function (agent) {
            return make("span", {}, short[agent]);
          })
        : words.reality,
    );
  });
  var cover = make("td.cover", { rowspan: story.lines.length }, make("p", {}, words.cover));
  view.rows = story.lines.map(function (line, number) {
    var who = story.agents.map(function (agent, one) {
      var here = mark[story.who[number][one]];
      return make(
        "td.who" + (here ? "." + here[0] : ""),
        {
          title: agent + ": " + (here ? here[2] : words.elsewhere),
        },
        here ? here[1] : "",
      );
    });
    var cells = view.lanes.map(function (lane, column) {
      var cell = lane.cells[number],
        starts = column && lane.agents.length !== view.lanes[column - 1].agents.length;
      var letter = choices.indexOf(cell.place) < 0 ? "" : explorer.letter(choices.indexOf(cell.place));
      return make(
        "td.lane" +
          (starts ? ".starts" : "") +
          (cell.place === null ? "" : "." + explorer.colour(view, cell.place)) +
          (cell.taught ? ".taught" : cell.about ? ".missed" : ""),
        {
          "data-place": cell.place === null ? "" : story.places[cell.place],
          "data-line": number,
          "data-lane": column,
        },
        cell.taught ? "✓" + letter : cell.about ? "·" + letter.toLowerCase() : "",
      );
    });
    var struck = number === view.item.question.struck,
      hop = view.shown && explorer.hopAt(view, number);
    return make("tr" + (struck ? ".struck" : ""), { "data-line": number }, [
      make("th.number", { scope: "row" }, number + 1),
      make("td.line", {}, hop ? [line, hop] : line),
      who,
      view.shown ? cells : number ? null : cover,
    ]);
  });
  explorer.fill(explorer.empty(view.board), [
    make("table.story" + (view.shown ? "" : ".covered"), {}, [
      make(
        "thead",
        {},
        make("tr", {}, [
          make("th.number", { scope: "col" }, make("span.hidden", {}, words.number)),
          make("th.line", { scope: "col" }, words.line),
          story.agents.map(function (agent, one) {
            return make("th.who", { scope: "col", title: agent }, short[one]);
          }),
          view.shown ? heads : make("th.cover", { scope: "col" }, words.lanes),
        ]),
      ),
      make(
        "tbody",
        {
          click: function (event) {
            explorer.storyPoint(view, event.target, true);
          },
          mouseover: function (event) {
            explorer.storyPoint(view, event.target, false);
          },
          mouseleave: function () {
            explorer.storyReason(view, view.line, view.lane);
          },
        },
        view.rows,
      ),
    ]),
    make("p.legend", {}, [
      words.marks.map(function (one) {
        return make("span", {}, [make("b", {}, one[1]), " " + one[2]]);
      }),
      view.shown ? make("span", {}, words.legend) : null,
      make("span.help", {}, words.help),
    ]),
  ]);
  explorer.storyStep(view, view.line, view.lane, false);
  explorer.storyReach(view, view.line < view.rows.length - 1);
};

// Return an arrow from a line that is named by thoughts to the line that taught them, if the answer hangs on it.
explorer.hopAt = function (view, number) {
  var words = explorer.text.stories;
  var hop = (view.item.question.hops || []).filter(function (one) {
    return one[0] === number;
  })[0];
  if (!hop) return null;
  return explorer.make(
    "button.hop",
    {
      type: "button",
      title: words.hop(hop[1] + 1),
      "aria-label": words.hop(hop[1] + 1),
      "data-hop": hop[1],
      click: function (event) {
        event.stopPropagation();
        explorer.storyStep(view, hop[1], view.lane, true);
      },
    },
    "↑ " + (hop[1] + 1),
  );
};

// Scroll the board, and not the page, so that the chosen line and lane can be seen.
explorer.storyReach = function (view, down) {
  var row = view.rows[view.line],
    board = view.board,
    head = board.querySelector("thead").offsetHeight;
  var cell = row.querySelector("td.chosen"),
    top = board.getBoundingClientRect().top;
  var height = Math.min(board.clientHeight, (view.shown ? view.reason.getBoundingClientRect().top : innerHeight) - top);
  if (height < 3 * head) height = board.clientHeight; // the board is hardly on the screen
  if (down && row.offsetTop - head < board.scrollTop) board.scrollTop = row.offsetTop - head;
  var below = row.offsetTop + row.offsetHeight - height;
  if (down && below > board.scrollTop) board.scrollTop = below;
  if (!cell) return;
  var right = cell.offsetLeft + cell.offsetWidth - board.clientWidth;
  var text =
    getComputedStyle(row.cells[1]).position === "sticky" ? row.cells[1].offsetWidth + row.cells[0].offsetWidth : 0;
  if (cell.offsetLeft - text < board.scrollLeft) board.scrollLeft = cell.offsetLeft - text;
  else if (right > board.scrollLeft) board.scrollLeft = right;
};
