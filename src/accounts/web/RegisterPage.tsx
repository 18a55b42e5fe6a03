import { useSearchParams } from 'react-router'
import { useAuth } from './auth.tsx'
import { useTask } from '../../kit/web/task.ts'
import { RadioCards } from '../../kit/web/ui/Choice.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { EmailInput } from '../../kit/web/ui/EmailInput.tsx'
import { Input } from '../../kit/web/ui/Input.tsx'
import { PasswordInput } from '../../kit/web/ui/PasswordInput.tsx'
import { accountTypes } from './accountTypes.tsx'
import { RegisterFrame } from './frames.tsx'
import { NewPasswordHint } from './NewPasswordHint.tsx'

const schema = async () => (await import('./registrationForm.ts')).RegistrationForm

/** The landing page's buttons choose the role: `/register?role=developer`. */
const useAskedRole = () => (useSearchParams()[0].get('role')?.toUpperCase() === 'DEVELOPER' ? 'DEVELOPER' : 'TESTER')

export const RegisterPage = () => {
  const { register } = useAuth()
  const signUp = useTask(register)
  const form = useSchemaForm(schema, {
    name: '',
    email: '',
    role: useAskedRole(),
    password: '',
    confirmPassword: '',
  })
  return (
    <RegisterFrame>
      <Form
        form={form}
        onSubmit={({ name, email, role, password }) => void signUp.run({ name, email, role, password })}
        loading={signUp.pending}
        submitError={signUp.error}
        submitLabel="Create account"
        errorFallback="Registration failed"
        wide
      >
        <Field of={form} name="name" label="Full name">
          {control => <Input autoComplete="name" {...control} />}
        </Field>
        <Field of={form} name="email" label="Email">
          {control => <EmailInput {...control} />}
        </Field>
        <Field of={form} name="role" label="Account type" group>
          {control => <RadioCards options={accountTypes} {...control} value={control.value ?? 'TESTER'} />}
        </Field>
        <Field
          of={form}
          name="password"
          label="Password"
          hint={<NewPasswordHint password={form.watch('password')} owner={form.watch()} />}
        >
          {control => <PasswordInput autoComplete="new-password" {...control} />}
        </Field>
        <Field of={form} name="confirmPassword" label="Confirm password">
          {control => <PasswordInput autoComplete="new-password" {...control} />}
        </Field>
      </Form>
    </RegisterFrame>
  )
}
