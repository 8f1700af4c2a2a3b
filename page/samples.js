// Samples for people: the questions of a config as a prompt prints them, and so many of them, drawn by a seed.
"use strict";

// Questions are {id, unit, traits, rules, more, lines, asked, choices}, choices {key, said, response}; `more` is the rule
// of its kind, the last of its rules. A question shows what its prompt says, and nothing else.

explorer.asked = {};

explorer.asked.lettered = function (choices) {
  return choices.map(function (said, number) {
    var letter = explorer.letter(number);
    return { key: letter, said: said, response: letter + ". " + said };
  });
};

// Return the traits of an item by which a sample is balanced: those that it has of these.
explorer.asked.traits = function (item, names) {
  return names
    .filter(function (name) {
      return item[name] !== undefined;
    })
    .map(function (name) {
      return name + " " + item[name];
    });
};

explorer.asked.stories = function (config, stories, query) {
  var items = [];
  stories.forEach(function (story) {
    story.questions.forEach(function (question) {
      items.push({ story: story, question: question });
    });
  });
  var filters = explorer.storyFilters(items, explorer.scored("hi_tom", config));
  return explorer.matching(items, filters, query).map(function (item) {
    var story = item.story,
      question = item.question,
      whole = story.questions.length > 1 && !question.kind && !query.order;
    return {
      id: question.id,
      unit: question.kind ? question.id : story.id,
      traits: explorer.asked.traits(question, whole ? ["rung"] : ["kind", "order", "rung"]),
      rules: story.rules + (question.rule ? "\n" + question.rule : ""),
      more: question.rule,
      lines: story.lines.map(function (line, number) {
        return number + 1 + " " + line;
      }),
      asked: question.text,
      choices: explorer.asked.lettered(
        question.choices.map(function (choice) {
          return typeof choice === "number" ? story.places[choice] : choice;
        }),
      ),
    };
  });
};

explorer.asked.plans = function (items) {
  return items.map(function (item) {
    return {
      id: item.id,
      unit: item.id,
      traits: explorer.asked.traits(item, ["acts", "order"]),
      rules: item.rules,
      lines: item.story,
      asked: item.question,
      choices: explorer.asked.lettered(item.choices),
    };
  });
};

explorer.asked.problems = function (config, blocks, query) {
  var words = explorer.text.problems.replies,
    between = /_zh$/.test(config) ? "" : " ",
    items = [];
  var filters = explorer.blockFilters(blocks, explorer.scored("mindgames", config));
  explorer.matching(blocks, filters, query).forEach(function (block) {
    block.problems.forEach(function (problem) {
      var premise = block.premises[problem.premise];
      items.push({
        id: problem.id,
        unit: block.id,
        traits: explorer.asked.traits(Object.assign({ setup: block.setup }, problem), ["setup", "rung"]),
        rules: block.rules,
        lines: [[premise.setting].concat(premise.announcements).join(between)],
        asked: explorer.text.sitting.statement(problem.text),
        choices: ["entailment", "not_entailment"].map(function (label) {
          return { key: words[label][0], said: words[label], response: words[label] };
        }),
      });
    });
  });
  return items;
};

// Samples.

// Return a number by which texts are put in random order. It reads a text twice, so that the end moves all of its bits.
explorer.scatter = function (text) {
  var number = 2166136261;
  for (var place = 0; place < 2 * text.length; place++)
    number = Math.imul(number ^ text.charCodeAt(place % text.length), 16777619) >>> 0;
  return number;
};

explorer.scattered = function (items, seed, name) {
  return items
    .map(function (item) {
      return [explorer.scatter(seed + "/" + name(item)), item];
    })
    .sort(function (one, other) {
      return one[0] - other[0];
    })
    .map(function (one) {
      return one[1];
    });
};

// Return so many items, by a seed: whole units but for the last, each next one with the traits that were drawn least.
explorer.sample = function (items, count, seed) {
  var units = new Map(),
    often = {},
    drawn = [];
  items.forEach(function (item) {
    if (!units.has(item.unit)) units.set(item.unit, []);
    units.get(item.unit).push(item);
  });
  var left = explorer.scattered(Array.from(units.values()), seed, function (unit) {
    return unit[0].unit;
  });
  var drawnOf = function (unit) {
    return unit[0].traits.reduce(function (sum, trait) {
      return sum + (often[trait] || 0);
    }, 0);
  };
  while (drawn.length < count && left.length) {
    var next = left.reduce(function (one, other) {
      return drawnOf(other) < drawnOf(one) ? other : one;
    });
    left.splice(left.indexOf(next), 1);
    next[0].traits.forEach(function (trait) {
      often[trait] = (often[trait] || 0) + 1;
    });
    drawn = drawn.concat(next);
  }
  return drawn.slice(0, count);
};
