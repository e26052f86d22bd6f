import { inBackground, warn } from '../../../../core/background.ts'
import { omitUndefined } from '../../../../core/omit-undefined.ts'
import type { AuditFlow } from '../../../../contract/words/audit-words.ts'
import type { AuditControl } from '../../runs.ts'
import { type Driver, DriverProblem, type DriverSession, SkippedModule } from './driver.ts'

export interface WaitingOptions {
  /** `person`: signs in by hand. `program`: a test, or the command line with `--command`. */
  readonly kind: 'person' | 'program'
  /** Name of the app. */
  readonly app: string
  readonly user: string
  readonly canUse: boolean
  /** Whether a program also says if the user is signed in. */
  readonly canProbe: boolean
  /** Asks a URL of the app if the user is signed in, instead. */
  readonly probeUrl?: (() => Promise<boolean>) | undefined
  readonly flow: AuditFlow
  /** Answers the codes of devices for the user, until the signal is aborted. */
  answerDevices(signal: AbortSignal): Promise<void>
  /** Follows the next sign-in of the app, until the signal is aborted. */
  watchSignIn(signal: AbortSignal): SignInWatch
}

/** A person need not press a button: the requests of the app show that a sign-in was done. */
export interface SignInWatch {
  readonly done: Promise<void>
  /** Whether the app has begun, and goes on. */
  isUnfinished(): boolean
}

/** Waits until a step was done, well or not. */
async function waitFor(
  control: Pick<AuditControl, 'wait'>,
  text: string,
  options: Parameters<AuditControl['wait']>[1],
) {
  const done = await control.wait(text, options)
  if (done.how === 'skipped') throw new SkippedModule('The user skipped the module.')
  if (done.how === 'stopped') throw new DriverProblem('The audit was stopped.')
  if (done.problem !== undefined) throw new DriverProblem(done.problem)
  return done
}

/** Restarts an app by the program that has started the audit. */
export function restartBy(control: Pick<AuditControl, 'wait'>, app: string) {
  return async (module: string): Promise<void> => {
    await waitFor(control, `Restart ${app}.`, { step: { name: 'restart', module } })
  }
}

/** Driver outside of the sandbox: the audit waits until a person or a program has done a step. */
export function waitingDriver(control: AuditControl, options: WaitingOptions): Driver {
  const { kind, app, user, canUse, canProbe, probeUrl } = options

  async function ask(
    step: 'sign-in' | 'use' | 'probe',
    module: string,
    text: string,
    times?: number,
  ) {
    const seen = new AbortController()
    if (options.flow === 'device' && step === 'sign-in') {
      // Ends with the step.
      inBackground(warn, 'approving the codes of devices', () => options.answerDevices(seen.signal))
    }
    const watch =
      kind === 'person' && step === 'sign-in' ? options.watchSignIn(seen.signal) : undefined
    try {
      const named = { name: step, module, ...omitUndefined({ times }) }
      const done = await waitFor(control, text, { step: named, until: watch?.done })
      if (watch?.isUnfinished() === true) {
        throw new DriverProblem('The audit was continued while the app was still polling.')
      }
      return done
    } finally {
      seen.abort()
    }
  }

  const signInText = (again: string) =>
    options.flow === 'device'
      ? `Sign in to ${app} with a device code${again}. The sandbox approves the code as ${user}.`
      : `Sign in to ${app} as ${user}${again}, in a fresh browser session.`
  function openSteps(module: string): Pick<DriverSession, 'signIn' | 'use' | 'said'> {
    let said: string | undefined
    const done = { 'sign-in': 0, use: 0 }
    const again = (step: keyof typeof done) => (done[step]++ === 0 ? '' : ' again')
    return {
      async signIn() {
        said = (await ask('sign-in', module, signInText(again('sign-in')))).said
      },
      said: () => said,
      async use(_step, times) {
        const often = times === 1 ? '' : ` ${times} times at once`
        const text = `Use ${app}${often}${again('use')}, so that it sends a request to the Hub.`
        await ask('use', module, text, times)
      },
    }
  }
  const unable = async () => {
    throw new DriverProblem('Only a browser can do this: pass --start.')
  }
  return {
    canUse,
    isBrowser: false,
    hasProbe: canProbe || probeUrl !== undefined,
    open: (module): DriverSession => ({
      ...openSteps(module),
      visits: [],
      callbackAgain: unable,
      foreignCallback: unable,
      async probe() {
        if (probeUrl !== undefined) return probeUrl()
        const { signedIn } = await ask(
          'probe',
          module,
          `Tell whether ${user} is signed in to ${app}.`,
        )
        if (signedIn === undefined)
          throw new DriverProblem('The program did not say whether the user is signed in.')
        return signedIn
      },
      isAlive: async () => undefined,
    }),
  }
}
