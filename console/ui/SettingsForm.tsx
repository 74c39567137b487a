import { Button, Group, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRight } from '../api/session.ts'
import type { OperatorRight } from '../api/types.ts'
import { Confirm } from './Confirm.tsx'
import { markField } from './mark-field.ts'
import { useAction } from './use-action.ts'
import { withTyped } from './with-typed.ts'

interface SettingsFormProps<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>
  /**
   * Stores the values and returns them as they are then. A refusal marks the field that it names, and keeps everything
   * that was typed.
   */
  save: (values: Values) => Promise<Values>
  refresh: readonly (readonly unknown[])[]
  /** The right that changes need; absent: `manage`. */
  right?: OperatorRight
  children: ReactNode
}

/** A form of settings. It is saved as a whole, and leaving it with unsaved changes asks first. */
export function SettingsForm<Values extends Record<string, unknown>>(props: SettingsFormProps<Values>) {
  const { form, save, refresh, right = 'manage', children } = props
  const { t } = useTranslation()
  const isReadOnly = !useRight(right)
  const saving = useAction({
    run: save,
    refresh: [...refresh],
    done: t('common.saved'),
    onDone: (stored: Values, sent) => {
      form.setInitialValues(stored)
      form.setValues(withTyped(stored, sent, form.getValues()))
      form.resetDirty(stored)
    },
    onRefused: (error) => markField(form, error),
  })
  const isDirty = form.isDirty()
  const leaving = useBlocker({
    shouldBlockFn: () => isDirty && !saving.isPending,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  return (
    <form
      onSubmit={form.onSubmit(
        (values) => saving.mutate(values),
        // A long form may show no part of the field at fault.
        (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
      )}
      noValidate
    >
      <fieldset disabled={isReadOnly} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
        <Stack gap="lg">
          {children}
          {isReadOnly ? null : (
            <Group gap="xs">
              <Button type="submit" loading={saving.isPending} disabled={!isDirty}>
                {t('common.save')}
              </Button>
              {isDirty ? (
                <Button variant="subtle" color="gray" onClick={() => form.reset()}>
                  {t('common.discard')}
                </Button>
              ) : null}
            </Group>
          )}
        </Stack>
      </fieldset>
      {leaving.status === 'blocked' ? (
        <Confirm
          title={t('common.unsavedTitle')}
          text={t('common.unsavedText')}
          action={t('common.leave')}
          onConfirm={leaving.proceed}
          onClose={leaving.reset}
        />
      ) : null}
    </form>
  )
}
