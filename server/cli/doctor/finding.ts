/** Severity; `note` is information, not a problem. */
export type FindingLevel = 'ok' | 'note' | 'fail'

/** Result of one check. */
export interface Finding {
  level: FindingLevel
  /** Topic for programs: `node`, `folder`, `clock`. */
  about: string
  text: string
  /** Suggested fix. */
  fix?: string
}

/** Creates findings of one topic. */
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
