import { Refusal } from '../../core/refusal.ts'

// The tree of hashes above the chunks of a xorb or of a file. A node ends after a child whose hash divides by four, so
// that a change of some chunks leaves the other nodes as they are.
// https://huggingface.co/docs/xet/hashing

/** Mean number of children of a node. */
const branching = 4
const leastChildren = 3
const mostChildren = 2 * branching + 1
/** Most nodes that wait for their parent. Chunks that are all the same never get one before the end is known. */
const mostWaiting = 100_000

/** Chunk or node, with the bytes of its content. */
export interface TreeNode {
  /** 32 bytes. */
  readonly hash: Uint8Array
  readonly length: number
}

/** Range of the chunks of a file. */
export interface RangeEnds {
  /** Whether it begins with the first chunk. */
  readonly atStart: boolean
  /** Whether it ends with the last chunk. */
  readonly atEnd: boolean
}

/** Highest nodes that are the same whatever is before and after a range: a few for each level. */
export interface Subtree extends RangeEnds {
  /** From the chunks up those on the left, then down those on the right. */
  readonly nodes: readonly TreeNode[]
  /** How many nodes each level has on the left and on the right, from the chunks up. */
  readonly levels: readonly (readonly [left: number, right: number])[]
}

interface Level {
  /** Nodes whose parent depends on what is before the range. */
  left: TreeNode[]
  /** Nodes whose parent depends on what follows. */
  right: TreeNode[]
  /** Whether the first node on the right begins a parent. */
  isAligned: boolean
  /** Positions of the last nodes on the right that may end a parent. */
  cuts: number[]
}

/** Builds the tree of a range of chunks, chunk by chunk. */
export class ChunkTree {
  readonly #levels: Level[] = []
  readonly #ends: RangeEnds
  readonly #hashNode: (children: readonly TreeNode[]) => TreeNode

  constructor(
    hashNode: (children: readonly TreeNode[]) => TreeNode,
    ends: RangeEnds = { atStart: true, atEnd: true },
  ) {
    this.#hashNode = hashNode
    this.#ends = ends
  }

  /** @throws {Refusal} `invalid` for chunks that have too many nodes without a parent */
  add(node: TreeNode, index = 0): void {
    const level = (this.#levels[index] ??= {
      left: [],
      right: [],
      isAligned: this.#ends.atStart,
      cuts: [],
    })
    level.right.push(node)
    if (level.right.length > mostWaiting) {
      throw new Refusal('invalid', 'The chunks of the file are too much alike')
    }
    const { atEnd } = this.#ends
    if (!(level.isAligned && atEnd) && isCut(node)) this.#settle(level, index)
    if (level.isAligned && atEnd && isWhole(level.right)) {
      this.#addParents(level.right, index)
      level.right = []
    }
  }

  /** Ends the range. */
  finish(): Subtree {
    const { atStart, atEnd } = this.#ends
    const levels = this.#levels
    for (let index = 0; index < levels.length; index++) {
      const level = levels[index] as Level
      const hasParents = index + 1 < levels.length
      if (atEnd && level.isAligned && (hasParents || level.right.length > 1)) {
        this.#addParents(level.right, index)
        level.right = []
      } else if (!hasParents) {
        level.left = [...level.left, ...level.right]
        level.right = []
      }
    }
    const lefts = levels.flatMap(({ left }) => left)
    const rights = levels.toReversed().flatMap(({ right }) => right)
    return {
      atStart,
      atEnd,
      nodes: [...lefts, ...rights],
      levels: levels.map(({ left, right }) => [left.length, right.length]),
    }
  }

  /** Separates nodes whose parents are certain: a parent ends at the middle one of three cuts, whatever is around them. */
  #settle(level: Level, index: number): void {
    const last = level.right.length - 1
    const [first, middle] = level.cuts
    level.cuts = [...level.cuts.slice(-1), last]
    if (first === undefined || middle === undefined) return
    if (!isApart(first, middle) || !isApart(middle, last)) return
    const settled = level.right.slice(0, middle + 1)
    level.right = level.right.slice(middle + 1)
    const next = last - middle - 1
    if (level.isAligned) {
      this.#addParents(settled, index)
      level.cuts = [-1, next]
    } else {
      level.left = settled
      level.isAligned = true
      level.cuts = [next]
    }
  }

  #addParents(nodes: readonly TreeNode[], index: number): void {
    let children: TreeNode[] = []
    const end = () => {
      this.add(this.#hashNode(children), index + 1)
      children = []
    }
    for (const node of nodes) {
      children.push(node)
      if (isWhole(children)) end()
    }
    if (children.length > 0) end()
  }
}

/** The hash counts as a number by its last 64 bits, of which this byte is the lowest. */
function isCut({ hash }: TreeNode): boolean {
  return (hash[24] ?? 0) % branching === 0
}

function isWhole(children: readonly TreeNode[]): boolean {
  const last = children.at(-1)
  if (last === undefined || children.length < leastChildren) return false
  return children.length === mostChildren || isCut(last)
}

/** Whether two cuts are so far from each other that the second ends a parent which begins after the first. */
function isApart(first: number, second: number): boolean {
  const gap = second - first
  return gap >= leastChildren && gap < mostChildren - 1
}
