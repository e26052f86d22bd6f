/** Names of an endpoint's steps, first to last. */
type Row = readonly string[]

type Later<Steps extends Row> = Steps extends readonly [string, ...infer Rest extends Row]
  ? Rest
  : readonly []

type With<Known, Added> = Added extends object ? Known & Added : Known

type Check<Known> = (known: Known) => unknown

/** Endpoint with some of its steps; `run` exists once it has all. */
export interface Steps<Rest extends Row, Start, Known> {
  /**
   * @param name next name of the row; any other does not compile
   * @param check gets everything known so far, and throws or returns additions
   */
  step<Added>(
    name: Rest[0],
    check: (known: Known) => Promise<Added> | Added,
  ): Steps<Later<Rest>, Start, With<Known, Added>>
  /**
   * Runs the steps one after the other. After a synchronous step the next one follows without a break, so that a code is
   * marked as used before another request can find it unused.
   * @param watch gets the object to which each step adds, so that an error handler can see how far the request came
   */
  run: Rest extends readonly []
    ? (request: Start, watch?: (known: Start) => void) => Promise<Known>
    : never
}

/**
 * Defines the steps of an endpoint in the order of its row in the table of checks.
 * @example inOrder(checks['POST /oauth/device'])<Call>().step('form', …).step('credentials', …)
 */
export function inOrder<const Names extends Row>(
  row: Names,
): <Start extends object>() => Steps<Names, Start, Start> {
  return <Start extends object>() => collect<Names, Start>(row, new Map())
}

function collect<Names extends Row, Start extends object>(
  row: Row,
  given: ReadonlyMap<string, Check<Start>>,
): Steps<Names, Start, Start> {
  // Looked up once instead of with every request.
  const ordered = row.flatMap((name) => given.get(name) ?? [])
  // Growing an object costs more than the steps, so each object begins with the members of the first one.
  let room: Start | undefined
  const steps = {
    step: (name: string, check: Check<Start>) => collect(row, new Map([...given, [name, check]])),
    async run(request: Start, watch?: (known: Start) => void): Promise<Start> {
      const known = { ...room, ...request }
      watch?.(known)
      for (const check of ordered) {
        const added = check(known)
        Object.assign(known, added instanceof Promise ? await added : added)
      }
      room ??= emptied(known)
      return known
    },
  }
  // Only the compiler knows the additions of each step, and whether all steps are there.
  return steps as unknown as Steps<Names, Start, Start>
}

function emptied<T extends object>(known: T): T {
  return Object.fromEntries(Object.keys(known).map((name) => [name, undefined])) as T
}
