// What the page knows: boards, their rows, and which two of their models are told apart.

const MINUS = "\u2212";

function number(value, places) {
  if (value === null || value === undefined) return "–";
  return value.toFixed(places).replace("-", MINUS);
}

function signed(value, places) {
  return value > 0 ? `+${number(value, places)}` : number(value, places);
}

function interval(triple, places) {
  if (!triple || triple[1] === null || triple[2] === null) return "";
  return `[${number(triple[1], places)}, ${number(triple[2], places)}]`;
}

const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

// Every two compared models of a board, by their places in it; see pack_pairs in contents.py.
class Pairs {
  constructor(packed) {
    this.packed = packed;
    this.bits = bytes(packed.apart);
    this.codes = bytes(packed.stderr);
  }

  at(a, b) {
    const [i, j] = a < b ? [a, b] : [b, a];
    return i * this.packed.n - (i * (i + 1)) / 2 + (j - i - 1);
  }

  apart(a, b) {
    if (a === b) return false;
    const at = this.at(a, b);
    return ((this.bits[at >> 3] >> (7 - (at & 7))) & 1) === 1;
  }

  // Half the width of the 95 % interval of the difference; null where it is not known.
  half(a, b) {
    const { low, step, t } = this.packed;
    const code = this.codes[this.at(a, b)];
    if (t === null) return null;
    return code === 0 ? 0 : t * low * step ** (code - 1);
  }
}

class Data {
  constructor(content) {
    this.models = content.models;
    this.models.forEach((model, index) => { model.key = model.id ?? String(index); });
    this.records = content.records;
    this.boards = content.boards;
    this.decisions = content.decisions;
    for (const board of this.boards) {
      board.tested = board.pairs === null ? null : new Pairs(board.pairs);
      board.byModel = new Map(board.rows.map((row) => [row.m, row]));
    }
  }

  board(id) {
    return this.boards.find((one) => one.id === id);
  }

  // Where the record of a model lies, or null when its id may not be part of an address.
  record(model) {
    if (model.id === null) return null;
    return `${this.records}/submissions/${encodeURIComponent(model.id)}/record.json`;
  }
}
