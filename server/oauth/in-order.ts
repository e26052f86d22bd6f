/** The names of an endpoint's steps, first to last. */
type Row = readonly string[]

type Later<Steps extends Row> = Steps extends readonly [string, ...infer Rest extends Row]
  ? Rest
  : readonly []

type With<Known, Added> = Added extends object ? Known & Added : Known

type Check<Known> = (known: Known) => unknown

/** An endpoint with some of its steps given; it runs when it has all. */
export interface Steps<Rest extends Row, Start, Known> {
  /**
   * @param name the next one of the row: any other does not compile
   * @param check is handed all that is known by then, and throws or returns what it adds to that
   */
  step<Added>(
    name: Rest[0],
    check: (known: Known) => Promise<Added> | Added,
  ): Steps<Later<Rest>, Start, With<Known, Added>>
  /**
   * Runs the steps one after the other. A step that does not wait is not waited for: what it found still holds in the
   * next one, so that a code is marked as used before anybody else can find it unused.
   * @param watch is handed what is known before the first step; each step adds to that same object, so that whoever
   *   catches a refusal sees how far it came
   */
  run: Rest extends readonly []
    ? (request: Start, watch?: (known: Start) => void) => Promise<Known>
    : never
}

/**
 * The steps of an endpoint, taken in the order of its row in the table of checks.
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
  // Looked up once, not with every request.
  const ordered = row.flatMap((name) => given.get(name) ?? [])
  // An object that grows with each step costs more than the steps do: so each begins with room for all that the first
  // one came to hold.
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
  // What each step adds, and whether all are there, only the compiler knows.
  return steps as unknown as Steps<Names, Start, Start>
}

function emptied<T extends object>(known: T): T {
  return Object.fromEntries(Object.keys(known).map((name) => [name, undefined])) as T
}
