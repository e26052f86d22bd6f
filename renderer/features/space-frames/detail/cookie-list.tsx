import type { CookieVerdict, FrameCookie } from '../../../../server/contract/control-frames.ts'
import type { CookieState } from '../../../../server/contract/words/frame-words.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import type { IconName } from '../../../ui/icon.tsx'

const looks: Readonly<Record<CookieState, { tone: Tone; icon: IconName; word: string }>> = {
  sent: { tone: 'ok', icon: 'check', word: 'Sent' },
  'not-sent': { tone: 'bad', icon: 'cross', word: 'Not sent' },
}

/** Verdict on each cookie, in the frame and opened directly, with its fix. */
export function CookieList({ cookies }: { cookies: readonly FrameCookie[] }) {
  if (cookies.length === 0)
    return <p className="text-sm text-muted">The app has set no cookies yet.</p>
  return (
    <ul className="flex flex-col gap-4">
      {cookies.map(({ name, attributes, inFrame, directly, advice }) => (
        <li key={name} className="flex min-w-0 flex-col gap-1.5">
          <h3 className="min-w-0 font-mono text-sm font-medium break-all">{name}</h3>
          <p className="font-mono text-2xs break-words text-muted">{attributes}</p>
          <Verdict where="In the frame" verdict={inFrame} />
          <Verdict where="Opened directly" verdict={directly} />
          {advice !== undefined && <p className="text-sm text-warn">{advice}</p>}
        </li>
      ))}
    </ul>
  )
}

function Verdict({ where, verdict }: { where: string; verdict: CookieVerdict | undefined }) {
  const look = verdict && looks[verdict.state]
  return (
    <div className="grid grid-cols-[7.5rem_1fr] gap-x-3 gap-y-0.5 text-sm">
      <span className="text-xs leading-5 text-faint">{where}</span>
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        {look === undefined ? (
          <span className="text-xs text-muted">No request yet</span>
        ) : (
          <Badge tone={look.tone} icon={look.icon}>
            {look.word}
          </Badge>
        )}
        {verdict?.isSandbox === true && <span className="text-2xs text-muted">by the mode</span>}
      </div>
      {verdict?.explanation !== undefined && (
        <p className="col-start-2 min-w-0 break-words">{verdict.explanation}</p>
      )}
      {verdict?.fix !== undefined && (
        <p className="col-start-2 min-w-0 font-medium break-words">Fix: {verdict.fix}</p>
      )}
    </div>
  )
}
