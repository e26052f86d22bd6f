import { useCallback } from 'react'
import { useLocation, useSearch } from 'wouter'

export interface ChangeOptions {
  /** Adds a history entry, which Back undoes: e.g. for a dialog. */
  push?: boolean
}

type Change<T> = (value: T, options?: ChangeOptions) => void

/**
 * Parameter of the page's URL. With a list of values, the first is the default and is omitted from the URL; without
 * one, the empty text is.
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

/** Parameter that is present or not, whatever its value: `?skipped`. */
export function useFlag(name: string): [boolean, Change<boolean>] {
  const write = useWrite(name)
  const isSet = new URLSearchParams(useSearch()).has(name)
  return [isSet, (next, options) => write(next ? '1' : undefined, options)]
}

/** Query of a URL that keeps the parameters: `?q=corpus`, or an empty text. */
export function useParameterText(): string {
  const search = useSearch()
  return search && `?${search}`
}

/** Removes all parameters from the URL. */
export function useClearParameters(): () => void {
  const [path, navigate] = useLocation()
  return () => navigate(path, { replace: true })
}

function useWrite(name: string): (value: string | undefined, options?: ChangeOptions) => void {
  const [path, navigate] = useLocation()
  return useCallback(
    (value, { push = false } = {}) => {
      // Current values: another parameter may have changed since the render.
      const parameters = new URLSearchParams(window.location.search)
      if (value === undefined) parameters.delete(name)
      else parameters.set(name, value)
      const text = parameters.toString()
      navigate(text ? `${path}?${text}` : path, { replace: !push })
    },
    [name, path, navigate],
  )
}
