import type { AuditItem } from '../contract/control-accounts.ts'
import type { Ending, Message, Reply, ShownCode } from '../lab/demos/scene.ts'
import type { DemoReport } from './demo-report.ts'
import type { ReadIdToken } from './id-token-command.ts'
import { printJson } from './output.ts'

interface PlayedStep {
  name: string
  explanation: string
  requests: { request: Message; answer: Reply }[]
}

interface PlayedFlow {
  title: string
  steps: PlayedStep[]
  device?: ShownCode
  idToken?: ReadIdToken
  audit?: readonly AuditItem[]
  received?: string
  ending?: Ending
  /** Id for `GET flows/ID` of the control API while the sandbox runs. */
  flowId?: string
}

/** Prints one JSON document at the end; instructions for a person go to stderr. */
export function createJsonReport(demo: string, sandbox: string): DemoReport {
  const flows: PlayedFlow[] = []
  const flow = () => {
    const last = flows.at(-1)
    if (last === undefined) throw new TypeError('no flow has begun')
    return last
  }
  return {
    begins: (title) => void flows.push({ title, steps: [] }),
    cue: ({ name, explanation }) => void flow().steps.push({ name, explanation, requests: [] }),
    exchanged: (request, answer) => void flow().steps.at(-1)?.requests.push({ request, answer }),
    waits: (url) => void process.stderr.write(`Open this URL, sign in and decide: ${url}\n`),
    shows(code) {
      flow().device = code
      process.stderr.write(`Enter the code ${code.userCode} at ${code.verificationUri}\n`)
    },
    idToken: (token) => void (flow().idToken = token),
    audit: (rows) => void (flow().audit = rows),
    text: (text) => void (flow().received = text),
    ends: (ending) => void (flow().ending = ending),
    drawing: ({ id }) => void (flow().flowId = id),
    // The document has the id of each flow.
    looks: () => undefined,
    close: () => printJson({ demo, sandbox, flows }),
  }
}
