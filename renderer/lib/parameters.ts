import { useCallback } from 'react'
import { useLocation, useSearch } from 'wouter'

export interface ChangeOptions {
  /** A step of its own in the history, which Back undoes: a dialog that opens, say. */
  push?: boolean
}

type Change<T> = (value: T, options?: ChangeOptions) => void

/**
 * A parameter of the page's address. Where it may have a few values only, the first of them stands for
 * an absent or unknown one, and is left out of the address; else the empty text is.
 */
export function useParameter(name: string): [string, Change<string>]
export function useParameter<T extends string>(
  name: string,
  choices: readonly [T, ...T[]],
): [T, Change<T>]
export function useParameter(
  name: string,
  choices?: readonly [string, ...string[]],
): [string, Change<string>] {
  const value = new URLSearchParams(useSearch()).get(name) ?? ''
  const write = useWrite(name)
  const first = choices?.[0] ?? ''
  const change: Change<string> = (next, options) =>
    write(next === first ? undefined : next, options)
  return [choices && !choices.includes(value) ? first : value, change]
}

/** A parameter that is there or not, whatever it says: `?skipped`. */
export function useFlag(name: string): [boolean, Change<boolean>] {
  const write = useWrite(name)
  const isSet = new URLSearchParams(useSearch()).has(name)
  return [isSet, (next, options) => write(next ? '1' : undefined, options)]
}

/** What follows the path in an address that keeps the parameters: `?q=corpus`, or nothing. */
export function useParameterText(): string {
  const search = useSearch()
  return search && `?${search}`
}

/** Empties the address of parameters. */
export function useClearParameters(): () => void {
  const [path, navigate] = useLocation()
  return () => navigate(path, { replace: true })
}

function useWrite(name: string): (value: string | undefined, options?: ChangeOptions) => void {
  const [path, navigate] = useLocation()
  return useCallback(
    (value, { push = false } = {}) => {
      // As they are now: another parameter may have changed since this was rendered.
      const parameters = new URLSearchParams(window.location.search)
      if (value === undefined) parameters.delete(name)
      else parameters.set(name, value)
      const text = parameters.toString()
      navigate(text ? `${path}?${text}` : path, { replace: !push })
    },
    [name, path, navigate],
  )
}
