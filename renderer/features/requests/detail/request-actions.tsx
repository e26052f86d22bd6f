import { useState } from 'react'
import { useLocation } from 'wouter'
import type { RequestDetail } from '../../../../server/contract/control-requests.ts'
import { useCompare } from '../../../shared/compare/use-compare.ts'
import { words as sharedWords } from '../../../shared/words.ts'
import { repeatText } from '../../../shared/repeat-request.ts'
import { Button } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/copy.tsx'
import { notify } from '../../../ui/toast.tsx'
import { useHotkeys } from '../../../lib/hotkeys.ts'
import { useParameterText } from '../../../lib/parameters.ts'
import { repeated } from '../model/repeated.ts'
import { useResend } from '../model/resend.ts'
import { CompareRequests } from './compare-requests.tsx'
import { ResendDialog } from './resend-dialog.tsx'
import { words } from '../words.ts'

/** Actions on a request, by button and key. */
export function RequestActions({ request }: { request: RequestDetail }) {
  const [isEditing, setEditing] = useState(false)
  const [, navigate] = useLocation()
  const search = useParameterText()
  const resend = useResend()
  const compare = useCompare()
  const edit = () => setEditing(true)

  function show(id: string, status: number): void {
    setEditing(false)
    notify('Replayed', status === 0 ? 'Connection cut' : `Response ${status}`)
    navigate(`/requests/${encodeURIComponent(id)}${search}`, { replace: true })
  }
  function resendNow(): void {
    if (resend.isPending) return
    // The form says beside its fields why a request cannot be sent as it is.
    resend.mutate(
      { id: request.id },
      { onSuccess: ({ id, status }) => show(id, status), onError: edit },
    )
  }
  useHotkeys({
    r: resendNow,
    e: edit,
    D: compare.open,
    v: () => compare.toggleMark(request.id),
    c: () => void copyText(repeatText('curl', repeated(request)), 'curl command'),
  })
  return (
    <div className="flex flex-wrap gap-1.5">
      <Button size="small" icon="retry" hotkey="r" busy={resend.isPending} onClick={resendNow}>
        {words.resend}
      </Button>
      <Button size="small" icon="edit" hotkey="e" onClick={edit}>
        {words.editAndResend}
      </Button>
      <Button size="small" icon="copy" hotkey="D" onClick={compare.open}>
        {sharedWords.compare}
      </Button>
      {compare.isOpen && <CompareRequests request={request} compare={compare} />}
      {isEditing && (
        <ResendDialog request={request} onSent={show} onClose={() => setEditing(false)} />
      )}
    </div>
  )
}
