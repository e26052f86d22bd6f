declare module 'react' {
  /** Style properties with the variables that a style sheet reads. */
  interface CSSProperties {
    [name: `--${string}`]: string
  }
}

/** Joins the class names that apply. */
export function classNames(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
