import type { ReactNode } from 'react'
import type { FlowDetail } from '../../../../server/contract/control-flows.ts'
import { plainText } from '../model/plain-text.ts'
import { scriptedFlows } from '../model/scripted-flows.ts'
import type { Scripted } from '../model/use-scripted-flows.ts'
import { words } from './words.ts'

interface SpeakerNotesProps {
  flow: Pick<FlowDetail, 'steps' | 'outcome'>
  current: number
  /** Talking point of the current step, if there is one. */
  point: string | undefined
  /** A scripted flow has a next step. */
  isContinued: boolean
  children: ReactNode
}

/** Talking point of the current step, and the name of the next one. */
export function SpeakerNotes({ flow, current, point, isContinued, children }: SpeakerNotesProps) {
  const next = flow.steps[current + 1]
  return (
    <NotesPanel>
      <p className="text-base">{point ?? 'No note for this step.'}</p>
      <p className="text-sm text-muted">
        {next
          ? `Next: ${plainText(next.name)}.`
          : flow.outcome === 'pending' || isContinued
            ? 'The sign-in continues here when its next request arrives.'
            : 'End of the sign-in.'}
      </p>
      {children}
    </NotesPanel>
  )
}

/** Frame of the notes, also while nothing is drawn. */
export function NotesPanel({ children }: { children: ReactNode }) {
  return (
    <aside
      aria-label={words.speakerNotes}
      className="scroll-quiet flex max-h-[34vh] shrink-0 flex-col gap-1.5 overflow-y-auto border-t border-line bg-sunken px-6 py-3"
    >
      {children}
      <p className="text-sm text-muted">
        ← → move · Home End ends · f full screen · n notes · Esc leave
      </p>
    </aside>
  )
}

/** Next step of the scripted flow, its failure, and the keys that start another one. */
export function ScriptedNotes({ running, error }: Pick<Scripted, 'running' | 'error'>) {
  const { next, waiting } = running ?? {}
  return (
    <>
      {(waiting ?? next) !== undefined && (
        <p className="text-sm">
          <span className="font-medium">→</span> {waiting ?? `${next?.name}. ${next?.explanation}`}
        </p>
      )}
      {error && <p className="text-sm text-bad">{error.message}</p>}
      <p className="text-sm text-muted">
        {scriptedFlows.map(({ key, title }) => `${key} ${title}`).join(' · ')} · with Shift: refused
      </p>
    </>
  )
}
