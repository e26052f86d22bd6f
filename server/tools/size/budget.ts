import { own } from '../../core/own.ts'
import type { Sizes } from './measure.ts'

/** A size that is over its budget. */
export interface Overrun {
  /** `lines of hub`, `arrows` */
  readonly what: string
  readonly size: number
  readonly budget: number
}

/** Lines are budgeted in hundreds: a small fix needs no new budget. */
const step = 100

/** Returns the budget of sizes: their own figures, lines rounded up. */
export function budgetOf(sizes: Sizes): Sizes {
  const lines = Object.entries(sizes.lines).map(([room, count]) => [
    room,
    Math.ceil(count / step) * step,
  ])
  return { ...sizes, lines: Object.fromEntries(lines) }
}

/** Lists the sizes that are over their budget; what has none may have nothing. */
export function overruns(sizes: Sizes, budget: Sizes): Overrun[] {
  const allowed = figuresOf(budget)
  return [...figuresOf(sizes)].flatMap(([what, size]) => {
    const most = allowed.get(what) ?? 0
    return size > most ? [{ what, size, budget: most }] : []
  })
}

/** Returns the budget with every figure lowered to that of the sizes, if it is smaller. */
export function lowered(budget: Sizes, sizes: Sizes): Sizes {
  const now = budgetOf(sizes)
  const least = (
    before: Readonly<Record<string, number>>,
    after: Readonly<Record<string, number>>,
  ) =>
    Object.fromEntries(
      Object.entries(after).map(([name, figure]) => [
        name,
        Math.min(figure, own(before, name) ?? 0),
      ]),
    )
  return {
    lines: least(budget.lines, now.lines),
    names: least(budget.names, now.names),
    arrows: Math.min(budget.arrows, now.arrows),
    doubledNames: Math.min(budget.doubledNames, now.doubledNames),
    longFunctions: Math.min(budget.longFunctions, now.longFunctions),
    headless: least(budget.headless, now.headless),
  }
}

function figuresOf(sizes: Sizes): Map<string, number> {
  const named = (kind: string, figures: Readonly<Record<string, number>>) =>
    Object.entries(figures).map(([name, figure]) => [`${kind} of ${name}`, figure] as const)
  return new Map([
    ...named('lines', sizes.lines),
    ...named('names', sizes.names),
    ['arrows between rooms', sizes.arrows] as const,
    ['doubled file names', sizes.doubledNames] as const,
    ['functions of more than 80 lines', sizes.longFunctions] as const,
    ...named('headless doc comments (per thousand)', sizes.headless),
  ])
}
