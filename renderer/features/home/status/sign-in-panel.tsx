import { Link } from 'wouter'
import type { RecentSignIns, SignInResult } from '../../../../server/contract/control-summary.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { type Tone, toneText } from '../../../ui/badge.tsx'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { later } from '../../../ui/later.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Part } from '../../../ui/part.tsx'
import { Moment } from '../../../ui/time.tsx'
import { lookOf } from '../../../shared/flow-looks.ts'
import { kindTitles } from '../../../shared/words.ts'
import { formatTime, shorten } from '../../../lib/format.ts'
import { StatusHead } from './status-head.tsx'
import { words } from '../words.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'

const FixCards = later(async () => (await import('../../../shared/suggested-fixes.tsx')).FixCards)

interface Head {
  icon: IconName
  tone: Tone
  title: string
}

/** Icon, colour and title of a result. */
function headOf(signIn: SignInResult): Head {
  const { outcome, changed } = signIn
  const { icon, tone, word } = lookOf(signIn)
  const title = word.charAt(0).toUpperCase() + word.slice(1)
  const isSpoiled = outcome === 'completed' && changed === true
  return isSpoiled
    ? { icon: 'warning', tone: 'warn', title: `${title}, changed by a fault` }
    : { icon, tone, title }
}

const hrefOf = ({ id }: SignInResult) => `/sign-ins/${encodeURIComponent(id)}`

/** Result of the last sign-in, with its reason and the suggested fixes. */
export function SignInPanel({ signIns: { recent, fixes, setting } }: { signIns: RecentSignIns }) {
  const [last] = recent
  return (
    <Panel title="Sign-in">
      {last === undefined ? (
        <StatusHead icon="minus" tone="neutral" title="No sign-in yet">
          <p>Connect an app, or run a demo.</p>
          <p className="pt-2">
            <Link href="/sign-ins" className={buttonClass('plain', 'small')}>
              Open sign-ins
            </Link>
          </p>
        </StatusHead>
      ) : (
        <div className="flex flex-col gap-3">
          <LastResult last={last} />
          {last.outcome === 'refused' && (
            // Also without fixes: an applied one is gone from the list, and its result stays.
            <Part quiet>
              <FixCards key={last.id} flowId={last.id} items={fixes} setting={setting} compact />
            </Part>
          )}
          {recent.length > 1 && <Recent recent={recent} />}
        </div>
      )}
    </Panel>
  )
}

function LastResult({ last }: { last: SignInResult }) {
  const { app, user, kind, at, outcome, changed, explanation } = last
  return (
    <StatusHead
      {...headOf(last)}
      action={
        <Link href={hrefOf(last)} className={buttonClass('plain', 'small')}>
          View sign-in
        </Link>
      }
    >
      <p className="break-words">
        <span className="font-medium text-ink">
          {app ? visibleControls(shorten(app.name, 40, 12)) : words.unknownApp}
        </span>
        {user && ` by ${shorten(user.username, 28, 10)}`} · {kindTitles[kind]} ·{' '}
        <Moment time={at} />
      </p>
      {(outcome !== 'completed' || changed) && (
        <p className="pt-1 break-words text-ink">{visibleControls(explanation)}</p>
      )}
    </StatusHead>
  )
}

/** Results of the latest sign-ins, the newest first. */
function Recent({ recent }: { recent: readonly SignInResult[] }) {
  return (
    <div>
      <h3 className="eyebrow">{words.latestSignIns}</h3>
      <ul aria-label={words.latestSignIns} className="flex flex-wrap">
        {recent.map((signIn) => {
          const { icon, tone, title } = headOf(signIn)
          const app = signIn.app
            ? visibleControls(shorten(signIn.app.name, 40, 12))
            : words.unknownApp
          const text = `${title}: ${app}, ${formatTime(signIn.at)}`
          return (
            <li key={signIn.id}>
              <Link
                href={hrefOf(signIn)}
                aria-label={text}
                title={text}
                className="grid size-6.5 place-items-center rounded hover:bg-hover"
              >
                <Icon name={icon} className={`size-4 ${toneText[tone]}`} />
              </Link>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
