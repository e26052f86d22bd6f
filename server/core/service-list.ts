/** A stop in progress. */
export interface Stopping {
  /** Time for running work to finish, in milliseconds; 0 = end it at once. */
  readonly graceMs: number
  /** Registers work that may end while other services are stopped. */
  readonly alongside: (work: Promise<unknown>) => void
  /** Resolves when the work that was registered {@link alongside} has ended. */
  readonly settled: () => Promise<void>
}

/** Reaction to a new state. Every service forgets before the first one takes up the new state. */
export interface OnReset<Value, Deps, Kept> {
  /** Before the state is replaced: ends running work and forgets what was collected. */
  readonly forget?: (value: Value, deps: Deps) => void
  /** After the state is replaced: continues from it. */
  readonly takeUp?: (value: Value, deps: Deps, kept: Kept) => void
}

/** Life of a service: something that a sandbox creates once and that may hold data. */
interface Life<Value, Deps, Start, Kept> {
  /**
   * Creates it over the services listed before, without starting anything.
   * @param start what the sandbox is created from
   */
  readonly create: (deps: Deps, start: Start) => Value
  /** Continues what the stored state holds. */
  readonly onStart?: (value: Value, deps: Deps) => void | Promise<void>
  readonly onStop?: (value: Value, deps: Deps, stopping: Stopping) => unknown
  /** Ends running work at once, when a stop is repeated. */
  readonly onHurry?: (value: Value) => void
  readonly onReset?: OnReset<Value, Deps, Kept>
  /** Why it outlives a reset, in whole or in part. */
  readonly stays?: string
}

/** A service; one that does not react to a reset says why. */
export type Service<Value, Deps, Start, Kept> = Life<Value, Deps, Start, Kept> &
  ({ readonly onReset: OnReset<Value, Deps, Kept> } | { readonly stays: string })

/** Created services, and their life from now on. */
export interface Running<Deps, Kept> {
  readonly deps: Deps
  /** Starts all services, the first one first. */
  start(): Promise<void>
  /** Lets all services forget, the last one first, and then take up a new state, the first one first. */
  reset(kept: Kept): void
  /**
   * Stops all services, the last one first, even if one fails.
   * @throws the first failure, after all have stopped
   */
  stop(graceMs: number): Promise<void>
  /** Ends the work that a stop waits for. */
  hurry(): void
}

type AnyService<Start, Kept> = Service<unknown, object, Start, Kept>

/**
 * The services of a sandbox in the order in which they are created and started; a stop and the first half of a reset go
 * through it from the end.
 */
export class ServiceList<Deps extends object, Start, Kept> {
  readonly #services: readonly (readonly [string, AnyService<Start, Kept>])[]

  private constructor(services: readonly (readonly [string, AnyService<Start, Kept>])[]) {
    this.#services = services
  }

  /** Begins a list. */
  static of<Start, Kept>(): ServiceList<object, Start, Kept> {
    return new ServiceList<object, Start, Kept>([])
  }

  /** Adds a service at the end. */
  with<const Name extends string, Value>(
    name: Name,
    service: Service<Value, Deps, Start, Kept>,
  ): ServiceList<Deps & { readonly [Key in Name]: Value }, Start, Kept> {
    const added = service as unknown as AnyService<Start, Kept>
    return new ServiceList([...this.#services, [name, added]])
  }

  /** Type of the created services, for `typeof`; it is never set. */
  declare readonly all: Deps

  /** Names of the services. */
  get names(): readonly string[] {
    return this.#services.map(([name]) => name)
  }

  /** @param instead services to use in place of those of the list, by name */
  create(start: Start, instead: Partial<Deps> = {}): Running<Deps, Kept> {
    const deps = {}
    const given: Readonly<Record<string, unknown>> = { ...instead }
    const lives = this.#services.map(([name, service]) => {
      const value = Object.hasOwn(given, name) ? given[name] : service.create(deps, start)
      // The same object for all: functions of a service may use those after it.
      Object.assign(deps, { [name]: value })
      return { value, service }
    })
    return run(deps as Deps, lives)
  }
}

function run<Deps extends object, Kept>(
  deps: Deps,
  lives: readonly { value: unknown; service: AnyService<never, Kept> }[],
): Running<Deps, Kept> {
  const backwards = lives.toReversed()
  return {
    deps,
    async start() {
      for (const { value, service } of lives) await service.onStart?.(value, deps)
    },
    reset(kept) {
      for (const { value, service } of backwards) service.onReset?.forget?.(value, deps)
      for (const { value, service } of lives) service.onReset?.takeUp?.(value, deps, kept)
    },
    async stop(graceMs) {
      const failures: unknown[] = []
      const note = (error: unknown) => void failures.push(error)
      const alongside: Promise<unknown>[] = []
      const stopping: Stopping = {
        graceMs,
        alongside: (work) => void alongside.push(work.catch(note)),
        settled: async () => void (await Promise.all(alongside)),
      }
      for (const { value, service } of backwards) {
        try {
          await service.onStop?.(value, deps, stopping)
        } catch (error) {
          note(error)
        }
      }
      await stopping.settled()
      if (failures.length > 0) throw failures[0]
    },
    hurry() {
      for (const { value, service } of backwards) service.onHurry?.(value)
    },
  }
}
