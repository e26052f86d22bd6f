import { type ComponentType, useEffect, useReducer, useState } from 'react'
import { Loading } from './states.tsx'

/** Loads of all that comes later. */
const loads = new Set<() => Promise<void>>()

/**
 * A component whose code comes after the first page. Once it is there, the component is drawn with the click that asks
 * for it; React's own `lazy` shows its stand-in for 300 ms at least, however soon the code comes.
 * @param what loads, where that is said: nothing is shown in the place of others
 * @throws when it is drawn and its code did not come, see `Part`
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  what?: string,
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  const start = () => {
    loading ??= load().then((component) => {
      Loaded = component
    })
    return loading
  }
  loads.add(start)

  return function Later(props: Props) {
    const [, redraw] = useReducer((count: number) => count + 1, 0)
    const [failure, setFailure] = useState<Error>()
    const isLoaded = Loaded !== undefined
    useEffect(() => {
      // The code may have come since the component was drawn without it.
      if (isLoaded) return undefined
      let isDrawn = true
      start().then(
        () => isDrawn && redraw(),
        (error: unknown) =>
          isDrawn && setFailure(error instanceof Error ? error : new Error(String(error))),
      )
      return () => {
        isDrawn = false
      }
    }, [isLoaded])
    if (failure !== undefined) throw failure
    if (Loaded !== undefined) return <Loaded {...props} />
    return what === undefined ? null : <Loading what={what} />
  }
}

/** Loads every lazy part in advance. A part that fails to load shows its error where it is used. */
export function loadRest(): void {
  for (const load of loads) load().catch(() => undefined)
}
