// Owns all English of the page that does not come with the data.
"use strict";

explorer.text = {
  title: "Watching beliefs and worlds",
  views: "Views",
  tabs: { start: "Start", stories: "Stories", problems: "Problems", audit: "Audit", sitting: "Questions" },
  theme: "Turn to dark or to light",
  loading: "Unpacking the data …",
  missing: function (file) {
    return file + " cannot be read. Write the page again: make explorer.";
  },
  any: "any",
  yes: "yes",
  no: "no",
  config: "Config",
  language: "Language",
  order: "Order",
  rung: "Rung",
  difficulty: "Difficulty",
  difficulties: [
    ["", "any"],
    ["easy", "easy: below 0.5"],
    ["medium", "medium: 0.5 to 1"],
    ["hard", "hard: 1 and more"],
  ],
  unscored: "This build has no scores of the probe for this config.",
  jump: "Go to an id",
  go: "Go",
  previous: "Previous",
  next: "Next",
  none: "Nothing has all these properties. Choose “any” somewhere.",
  unknown: function (id, config) {
    return "There is no " + id + " in " + config + ". The first one is shown.";
  },
  counted: function (number, total) {
    return number.toLocaleString("en") + " of " + total.toLocaleString("en");
  },
  elsewhere: {
    house: "house",
    summary: function (world) {
      return "The same in the world “" + world + "”, line beside line";
    },
  },
  show: "Show the answer",
  hide: "Hide the answer",
  always: "Always show answers",
  ask: "Only ask me",
  answered: function (count) {
    return count + " answered.";
  },
  noted: function (reply) {
    return "Noted: " + reply + ".";
  },
  download: "Download my answers",
  rules: "The rules, as a prompt prints them",
  forget: "Forget my score and my answers",
  right: "Right.",
  wrong: function (answer) {
    return "No: " + answer + ".";
  },
  shown: function (answer) {
    return "The answer: " + answer + ".";
  },
  probe: function (answer, right) {
    return "The probe says " + answer + (right ? ", rightly." : ", wrongly.");
  },
  score: function (right, total, probe, scored) {
    return (
      "You: " +
      right +
      " of " +
      total +
      " right." +
      (scored ? " The probe: " + probe + " of these " + scored + "." : "")
    );
  },
  start: {
    lead: "Two benchmarks ask what people know about what others know. Here you can watch how each answer comes about.",
    about: function (facts) {
      return "Test rows of " + facts.join(" and ") + ".";
    },
    fact: function (name, version, seed) {
      return name + " " + version + ", seed " + seed;
    },
    stories: "A story, line by line, and a lane for each belief about a belief. A tick marks the line that taught it.",
    problems: "Puzzles about who knows what. Each announcement fades the worlds that it rules out.",
    audit: "How often rules are right that read only a part: ours beside the published data.",
    open: { stories: "Open a story", problems: "Open a puzzle", audit: "Open the audit" },
    rows: "What is in it",
    head: ["dataset", "config", "questions", "stories or blocks", "probe"],
    scored: { all: "scored", none: "not scored", some: "partly scored" },
    keys: "Keys",
    key: [
      ["↑ ↓", "the line before or after; in a puzzle the step"],
      ["Home End", "the first or the last"],
      ["← →", "another lane; in a puzzle another agent"],
      ["p n", "the question or puzzle before or after"],
      ["a", "show the answer, or hide it"],
    ],
    score: "Your score",
    noscore: "Choose an answer in a story or a puzzle, and your score stands here. It stays on this computer.",
    honest: "Nothing here is loaded from elsewhere, and nothing is sent.",
  },
  stories: {
    name: "Story",
    kind: "Kind",
    minds: function (order) {
      return "It nests " + order + (order === 1 ? " mind." : " minds.");
    },
    needs: "Minds needed",
    undisputed: "Undisputed",
    claims: "Claims",
    number: "line",
    line: "What the story says",
    who: "Who is in the room",
    reality: "really",
    lane: function (names) {
      return names.length ? names.join(" thinks ") + " thinks" : "Reality";
    },
    cover: "Choose an answer, or ask for it. Then a lane shows for each mind where it believes the thing to be.",
    lanes: "Lanes",
    which: [
      ["all", "all subchains"],
      ["ends", "the chain and its ends"],
    ],
    marks: [
      ["i", "●", "in the room"],
      ["w", "◐", "watches in secret"],
      ["s", "S", "speaks"],
      ["h", "h", "hears it"],
      ["o", "◔", "overhears it"],
    ],
    elsewhere: "elsewhere",
    taught: "taught",
    belief: function (place, line) {
      return "Believes: " + place + ", since line " + line + ".";
    },
    nothing: "No line has taught it yet.",
    news: function (reason) {
      return "Taught here: " + reason + ".";
    },
    missed: function (reason) {
      return "Not taught here: " + reason + ".";
    },
    silent: "This line says nothing about the thing.",
    same: "Who comes in and sees it changes nothing real.",
    last: function (line, reason) {
      return "Line " + line + " taught it: " + reason + ".";
    },
    hop: function (line) {
      return "named by what line " + line + " taught";
    },
    facts: function (question) {
      return (
        (question.hops ? "It takes " + question.hops.length + (question.hops.length > 1 ? " steps. " : " step. ") : "") +
        "It needs " +
        question.needs +
        " of " +
        question.order +
        (question.order === 1 ? " mind" : " minds") +
        "; slot: " +
        question.slot +
        (question.undisputed ? "; undisputed" : "") +
        (question.sensitive ? "; another order of the agents has another answer" : "") +
        "."
      );
    },
    other: function (semantics, place, line) {
      return "Under " + semantics + " semantics: " + place + ", line " + line + ".";
    },
    help: "↑ ↓ line · ← → lane · n p question · a answer",
    legend:
      "A letter and a colour stand for a choice. ✓ line taught it · · line did not. Choose a cell for the reason.",
  },
  plans: {
    acts: "Least acts",
    solution: function (acts) {
      return "A shortest course that wins, with " + acts + (acts === 1 ? " act" : " acts");
    },
    play: "Play it",
    turn: function (number, total) {
      return "Your line " + number + " of " + total;
    },
    which: "Which one",
    write: "Write it",
    anew: "Begin anew",
    nothing: function (line, why) {
      return "“" + line + "” does nothing: " + why + ".";
    },
    over: function (won, acts, least) {
      return (won ? "Won" : "Not won") + " with " + acts + (acts === 1 ? " act; " : " acts; ") + least + " are enough.";
    },
    goal: function (reached, goal) {
      return (reached ? "Reached: " : "Missed: ") + goal;
    },
  },
  problems: {
    name: "Puzzle",
    setup: "Setup",
    agents: "Agents",
    needs: "Announcements needed",
    four: "The problems of the block",
    replies: { entailment: "True", not_entailment: "False" },
    labels: { entailment: "it follows", not_entailment: "it does not follow" },
    before: "Before the announcements, every world is possible.",
    step: "Step",
    announcement: function (number) {
      return "Announcement " + number;
    },
    gone: function (count, left) {
      return (
        (count === 0 ? "Rules nothing out" : "Rules out " + count + (count === 1 ? " world" : " worlds")) +
        "; leaves " +
        left +
        "."
      );
    },
    hypothesis: "Hypothesis, from the inside out",
    rounds: "The answers, round by round, and the hypothesis",
    covered: "The hypothesis is evaluated here once you have chosen, or asked for the answer.",
    verdict: function (missing, follows) {
      return follows
        ? "True in every world that is left: it follows."
        : "Not true in " + missing + " of the worlds left: it does not follow.";
    },
    truth: function (holds) {
      return holds ? "True in the case described." : "False in the case described.";
    },
    agent: "Cannot tell apart, for",
    nobody: "nobody",
    joined: function (name, groups) {
      return groups
        ? name + " cannot tell joined worlds apart (" + groups + (groups === 1 ? " group)." : " groups).")
        : name + " can tell all these worlds apart.";
    },
    world: function (names, state) {
      return (names.length ? names.join(", ") : "nobody") + ": " + state;
    },
    state: { left: "possible", gone: "ruled out", so: "true here", not: "not true here" },
    legend:
      "In a world: for whom it is so, and its number · ○ possible · ◉ the part is true here · " +
      "faded: ruled out, with the number of the announcement or round",
    many: function (shown, total) {
      return "The first " + shown + " of " + total + " groups.";
    },
    facts: function (problem) {
      return problem.rounds
        ? (problem.rounds > 1 ? problem.rounds + " rounds" : "1 round") + " · worlds before each " + problem.worlds.join(", ")
        : "order " + problem.order + " · needs " + problem.needs + " · proof " + problem.proof;
    },
    premise: function (letter) {
      return "Premise " + letter;
    },
    graph: "The worlds",
    help: "↑ ↓ step · ← → agent · n p block · a answers",
  },
  sitting: {
    title: function (count) {
      return count + (count === 1 ? " question" : " questions") + " about who knows what";
    },
    advice: function (dataset) {
      return [
        dataset === "hi_tom"
          ? "Each question is about a short story. Several questions in a row may be about the same story."
          : "Each question is about a short puzzle. You say whether a statement follows from it.",
        "Read the rules below first: they decide every answer. They stand folded above each question, too. “Begin” is below them.",
        "Choose an answer, then “Next”. You may change your choice until then; you cannot go back.",
        "If you do not know, choose what seems likeliest. Pen and paper are welcome; other help is not.",
        "There is no limit of time. The page notes how long you take for each question, but only while you see it.",
        "You may close the page and come back by the same link. Your answers stay on this computer until you save them as a file.",
      ];
    },
    rules: "The rules",
    otherRules: "The rules (not the same as before)",
    moreRules: "The rules (the last one is for this kind of question)",
    person: "Your name, or any word that stands for you (may stay empty)",
    begin: "Begin",
    progress: function (number, total) {
      return "Question " + number + " of " + total;
    },
    told: { hi_tom: "The story", mindgames: "The puzzle" },
    again: " (the same as before)",
    statement: function (text) {
      return "Statement: " + text + " True or False?";
    },
    next: function (last) {
      return last ? "Finish" : "Next";
    },
    help: function (choices) {
      var keys = choices.map(function (choice) {
        return choice.key;
      });
      var all = keys.length > 2 ? keys[0] + " to " + keys[keys.length - 1] : keys.join(" or ");
      return "Keys: " + all + " to choose, then " + (keys.indexOf("N") < 0 ? "N or Enter" : "Enter") + " to go on.";
    },
    lost: "This browser keeps nothing: do not load the page again or close it before you have saved your answers.",
    stop: "Stop here",
    stops: "Stop here? You can go on later.",
    nothing: "There is no question here that this link asks for.",
    ended: "That was all. Thank you!",
    stopped: "You stopped here. Thank you!",
    answered: function (count, total) {
      return "You answered " + count + " of " + total + " questions.";
    },
    send: function (file) {
      return "Save your answers as a file, and send it to whoever gave you the link. It is called " + file + ".";
    },
    download: "Save my answers",
    goOn: "Go on",
    anew: "Begin anew",
    forgets: "Begin anew? Your answers are not saved yet, and will be lost.",
    handed: "Saved, in the folder of your downloads. Once you leave this page, your answers are in that file alone.",
  },
  audit: {
    dataset: "Dataset",
    table: "Table",
    tables: { gated: "with gates", deep: "deep stories and order blocks", shown: "shown without gates" },
    group: "Rows of",
    ours: "ours",
    published: "published",
    chance: "chance",
    gate: "gate",
    lead: "Each rule reads only a part. The share of rows that it answers right, with its 95 % interval.",
    rule: "rule",
    share: function (share) {
      return share
        ? (100 * share[0]).toFixed(1) +
            " % (" +
            (100 * share[1]).toFixed(0) +
            "–" +
            (100 * share[2]).toFixed(0) +
            "), " +
            share[3].toLocaleString("en") +
            " rows"
        : "not measured";
    },
    short: function (share) {
      return share
        ? (100 * share[0]).toFixed(1) + " (" + (100 * share[1]).toFixed(0) + "–" + (100 * share[2]).toFixed(0) + ")"
        : "";
    },
    bounds: function (gate) {
      return gate
        ? (gate[0] ? (100 * gate[0]).toFixed(0) + " to " : "at most ") + (100 * gate[1]).toFixed(0) + " %"
        : "no gate";
    },
    everywhere: function (rule) {
      return "“" + rule + "” in every group";
    },
    numbers: "The same as a table",
    rows: function (count) {
      return count.toLocaleString("en") + " rows";
    },
    help: "Choose a rule to see it in every group. ↑ ↓ rule.",
  },
};
