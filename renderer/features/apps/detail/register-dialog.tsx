import { useState } from 'react'
import type { AppItem } from '../../../../server/contract/control-apps.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/dialog.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { omitUndefined } from '../../../lib/omit-undefined.ts'
import { AppFields, appFieldPaths, emptyAppForm, updateOf } from './app-fields.tsx'
import { useCreateApp } from '../model/requests.ts'

interface RegisterDialogProps {
  onClose: () => void
  onRegistered: (app: AppItem) => void
}

export function RegisterDialog({ onClose, onRegistered }: RegisterDialogProps) {
  const [form, setForm] = useState(emptyAppForm)
  const [kind, setKind] = useState<'public' | 'secret'>('public')
  const create = useCreateApp()
  return (
    <Dialog open onOpenChange={onClose} title="Register an app">
      <form
        className="flex min-h-0 flex-1 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          const { organization, tokenDuration, ...rest } = updateOf(form)
          create.mutate(
            omitUndefined({
              ...rest,
              public: kind === 'public',
              organization: organization ?? undefined,
              tokenDuration: tokenDuration ?? undefined,
            }),
            { onSuccess: onRegistered },
          )
        }}
      >
        <DialogBody>
          <div className="flex flex-col gap-3.5">
            <Segments
              label="Kind of app"
              value={kind}
              onChange={setKind}
              options={[
                { value: 'public', label: 'Public, with PKCE' },
                { value: 'secret', label: 'With a secret' },
              ]}
            />
            <AppFields
              form={form}
              error={create.error}
              onChange={(part) => setForm((current) => ({ ...current, ...part }))}
            />
            <FormError error={create.error} beside={appFieldPaths} />
          </div>
        </DialogBody>
        <DialogFooter>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={create.isPending}>
            Register it
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
