import { type ReportFormat } from '../../server/contract/words/advice-words.ts'

/** Text that acts in a terminal, a log of GitHub Actions, a page or a file, unless it is escaped. */
export const hostileText =
  '\u001B[2J\u009B2J]]><script>alert(1)</script>\r\n::error::x\u2028\u0085|`*[a](javascript:1)\u202E\u2066 @team "quoted" & \u0000\uD800\uFFFE'

/** Bytes that act in a terminal, and characters that reorder a page. */
const acting = /(?!\n)\p{Cc}|[\u2028\u2029]|\p{Bidi_Control}/gu

/** Parts of a report that have an effect, by format. */
export const effectsOf: Readonly<Record<ReportFormat, (text: string) => readonly string[]>> = {
  text: (text) => matches(text, acting),
  json: (text) => [...matches(text, acting), ...(isJson(text) ? [] : ['no JSON'])],
  sarif: (text) => [
    ...matches(text, acting),
    ...(isJson(text) ? matches(messagesOf(text), acting) : ['no JSON']),
  ],
  junit: (text) => [
    ...matches(text, acting),
    // XML 1.0 §2.2 and §2.4.
    ...matches(text, /<script|\]\]>|[\uFFFE\uFFFF]|\p{Cs}/gu),
  ],
  // Code is literal: it begins and ends with a backtick, which names lose.
  markdown: (text) => [
    ...matches(text, acting),
    ...matches(text.replaceAll(/`[^`\n]*`/g, ''), /<script|(?<!\\)\]\(javascript|@team/g),
  ],
  github: (text) => [
    ...matches(text, acting),
    // One command a line, and no other one.
    ...text.split('\n').filter((line) => !/^(?:::(?:error|warning|notice)[ :]|$)/.test(line)),
    ...matches(text, /\n::error::x/g),
  ],
}

function matches(text: string, pattern: RegExp): string[] {
  return text.match(pattern) ?? []
}

function isJson(text: string): boolean {
  try {
    return Boolean(JSON.parse(text))
  } catch {
    return false
  }
}

/** Texts of a SARIF file that GitHub shows. */
function messagesOf(text: string): string {
  const { runs } = JSON.parse(text) as {
    runs: {
      invocations: { toolExecutionNotifications?: { message: { text: string } }[] }[]
      results: {
        message: { text: string }
        locations: { logicalLocations: { name: string }[] }[]
      }[]
    }[]
  }
  return runs
    .flatMap(({ invocations, results }) => [
      ...invocations.flatMap(({ toolExecutionNotifications = [] }) =>
        toolExecutionNotifications.map(({ message }) => message.text),
      ),
      ...results.flatMap(({ message, locations }) => [
        message.text,
        ...locations.flatMap(({ logicalLocations }) => logicalLocations.map(({ name }) => name)),
      ]),
    ])
    .join('\n')
}
