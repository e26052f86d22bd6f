import { useState } from 'react'
import type { AppItem } from '../../../../server/contract/control-apps.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { Segments } from '../../../ui/segments.tsx'
import { omitUndefined } from '../../../lib/omit-undefined.ts'
import { AppFields, appFieldPaths, emptyAppForm, updateOf } from './app-fields.tsx'
import { useCreateApp } from '../model/requests.ts'
import { words } from '../words.ts'

interface RegisterDialogProps {
  onClose: () => void
  onRegistered: (app: AppItem) => void
}

export function RegisterDialog({ onClose, onRegistered }: RegisterDialogProps) {
  const [kind, setKind] = useState<'public' | 'secret'>('public')
  const create = useCreateApp()
  const { form, patch, issue } = useForm(() => emptyAppForm, create.error)
  return (
    <FormDialog
      title={words.registerApp}
      action="Register"
      busy={create.isPending}
      onSubmit={() => {
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
      onClose={onClose}
    >
      <Segments
        label="Kind of app"
        value={kind}
        onChange={setKind}
        options={[
          { value: 'public', label: 'Public, with PKCE' },
          { value: 'secret', label: words.withASecret },
        ]}
      />
      <AppFields form={form} issue={issue} onChange={patch} />
      <FormError error={create.error} beside={appFieldPaths} />
    </FormDialog>
  )
}
