/** `note`: worth knowing, and nothing wrong. */
export type FindingLevel = 'ok' | 'note' | 'fail'

/** What the doctor says of one thing. */
export interface Finding {
  level: FindingLevel
  /** What it is about, for programs: `node`, `folder`, `clock`. */
  about: string
  text: string
  /** What to do, where there is something. */
  fix?: string
}

/** Findings about one thing. */
export function findingsAbout(about: string) {
  const at =
    (level: FindingLevel) =>
    (text: string, fix?: string): Finding => ({
      level,
      about,
      text,
      ...(fix === undefined ? {} : { fix }),
    })
  return { fine: at('ok'), note: at('note'), wrong: at('fail') }
}
