import type { Translated } from './translations.ts';

/** Texts about the reader's own account: a forgotten password, the second factor, sessions. */
export const ACCOUNT = {
  'Forgotten password': { fr: 'Mot de passe oublié', pt: 'Palavra-passe esquecida' },
  'You get a link with which you choose a new password.': {
    fr: 'Vous recevrez un lien pour choisir un nouveau mot de passe.',
    pt: 'Receberá uma ligação para escolher uma nova palavra-passe.',
  },
  'Send the link': { fr: 'Envoyer le lien', pt: 'Enviar a ligação' },
  'Send another link': { fr: 'Envoyer un autre lien', pt: 'Enviar outra ligação' },
  'Check your mail': { fr: 'Consultez votre messagerie', pt: 'Consulte o seu correio' },
  'If the address has an account, a link is on its way. It works for 30 minutes.': {
    fr: 'Si un compte correspond à cette adresse, un lien est en route. Il est valable 30 minutes.',
    pt: 'Se o endereço tiver uma conta, a ligação já foi enviada. É válida durante 30 minutos.',
  },
  'Enter your e-mail address.': { fr: 'Saisissez votre adresse e-mail.', pt: 'Indique o seu endereço de e-mail.' },
  'Choose a new password': { fr: 'Choisir un nouveau mot de passe', pt: 'Escolher uma nova palavra-passe' },
  'This link was used or has expired. Ask for a new one.': {
    fr: 'Ce lien a déjà servi ou a expiré. Demandez-en un nouveau.',
    pt: 'Esta ligação já foi usada ou expirou. Peça uma nova.',
  },
  'Your password is changed': { fr: 'Votre mot de passe est modifié', pt: 'A sua palavra-passe foi alterada' },
  'All sessions have ended. Log in with the new password.': {
    fr: 'Toutes les sessions sont terminées. Connectez-vous avec le nouveau mot de passe.',
    pt: 'Todas as sessões terminaram. Inicie sessão com a nova palavra-passe.',
  },
  Code: { fr: 'Code', pt: 'Código' },
  'The six digits of your authenticator app, or one of your recovery codes.': {
    fr: 'Les six chiffres de votre application d’authentification, ou l’un de vos codes de secours.',
    pt: 'Os seis dígitos da sua aplicação de autenticação, ou um dos seus códigos de recuperação.',
  },
  'The code is wrong or was used. Wait for the next one.': {
    fr: 'Le code est faux ou a déjà servi. Attendez le suivant.',
    pt: 'O código está errado ou já foi usado. Espere pelo seguinte.',
  },
  'Start again': { fr: 'Recommencer', pt: 'Começar de novo' },
  'A second factor is required. Set one up on the page of your second factor.': {
    fr: 'Un second facteur est exigé. Configurez-le sur la page de votre second facteur.',
    pt: 'É necessário um segundo fator. Configure-o na página do seu segundo fator.',
  },
  'Confirm with your second factor': {
    fr: 'Confirmer avec votre second facteur',
    pt: 'Confirmar com o seu segundo fator',
  },
  'Money or access can leave by this step, so it needs a code. Nothing was done yet.': {
    fr: 'Cette étape peut faire sortir des fonds ou donner un accès : elle exige un code. Rien n’a encore été fait.',
    pt: 'Este passo pode fazer sair dinheiro ou dar acesso, por isso exige um código. Ainda nada foi feito.',
  },
  Confirm: { fr: 'Confirmer', pt: 'Confirmar' },
  'Second factor': { fr: 'Second facteur', pt: 'Segundo fator' },
  'A second factor is required before you go on.': {
    fr: 'Un second facteur est exigé avant de continuer.',
    pt: 'É necessário um segundo fator antes de continuar.',
  },
  'Besides your password, a login then needs a code of an app on your phone, and so do payouts, bank details, keys and administrators.':
    {
      fr: 'En plus de votre mot de passe, la connexion exigera un code d’une application de votre téléphone, de même que les virements, les coordonnées bancaires, les clés et les administrateurs.',
      pt: 'Além da palavra-passe, o início de sessão passa a exigir um código de uma aplicação do seu telefone, tal como os pagamentos, os dados bancários, as chaves e os administradores.',
    },
  'Set up an authenticator app': {
    fr: 'Configurer une application d’authentification',
    pt: 'Configurar uma aplicação de autenticação',
  },
  'Your second factor is enabled.': { fr: 'Votre second facteur est activé.', pt: 'O seu segundo fator está ativo.' },
  'Your second factor is disabled.': {
    fr: 'Votre second facteur est désactivé.',
    pt: 'O seu segundo fator está desativado.',
  },
  'To use another phone, disable it and set it up again.': {
    fr: 'Pour utiliser un autre téléphone, désactivez-le puis configurez-le de nouveau.',
    pt: 'Para usar outro telefone, desative-o e configure-o de novo.',
  },
  'Disable the second factor': { fr: 'Désactiver le second facteur', pt: 'Desativar o segundo fator' },
  'Enable the second factor': { fr: 'Activer le second facteur', pt: 'Ativar o segundo fator' },
  'Scan this with your authenticator app': {
    fr: 'Scannez ceci avec votre application d’authentification',
    pt: 'Leia isto com a sua aplicação de autenticação',
  },
  'QR code for your authenticator app': {
    fr: 'Code QR pour votre application d’authentification',
    pt: 'Código QR para a sua aplicação de autenticação',
  },
  'Or type this key into the app:': {
    fr: 'Ou saisissez cette clé dans l’application :',
    pt: 'Ou escreva esta chave na aplicação:',
  },
  'Recovery codes': { fr: 'Codes de secours', pt: 'Códigos de recuperação' },
  'Keep these codes where your phone is not. Each one works once, in place of the app. They are not shown again.': {
    fr: 'Conservez ces codes ailleurs que sur votre téléphone. Chacun sert une fois, à la place de l’application. Ils ne sont plus affichés ensuite.',
    pt: 'Guarde estes códigos fora do telefone. Cada um funciona uma vez, em vez da aplicação. Não voltam a ser mostrados.',
  },
  Sessions: { fr: 'Sessions', pt: 'Sessões' },
  'Where you are logged in. End what you do not know, and change your password then.': {
    fr: 'Là où vous êtes connecté. Mettez fin à ce que vous ne reconnaissez pas, puis changez votre mot de passe.',
    pt: 'Onde tem sessão iniciada. Termine o que não reconhece e depois mude a palavra-passe.',
  },
  Device: { fr: 'Appareil', pt: 'Dispositivo' },
  'This session': { fr: 'Cette session', pt: 'Esta sessão' },
  'Logged in': { fr: 'Connexion', pt: 'Início de sessão' },
  'End the session': { fr: 'Mettre fin à la session', pt: 'Terminar a sessão' },
  'The session has ended.': { fr: 'La session est terminée.', pt: 'A sessão terminou.' },
  'Take it away': { fr: 'Le retirer', pt: 'Retirar' },
  'Take the second factor away': { fr: 'Retirer le second facteur', pt: 'Retirar o segundo fator' },
  '{name} logs in without a second factor then. All of their sessions end, and they are told by mail. Make sure that it is they who ask.':
    {
      fr: '{name} se connectera alors sans second facteur. Toutes ses sessions prennent fin, et un e-mail l’en informe. Assurez-vous que la demande vient bien de cette personne.',
      pt: '{name} passa a iniciar sessão sem segundo fator. Todas as suas sessões terminam, e recebe um e-mail. Confirme que é a própria pessoa que pede.',
    },
  'The second factor is taken away. Their sessions have ended.': {
    fr: 'Le second facteur est retiré. Ses sessions sont terminées.',
    pt: 'O segundo fator foi retirado. As sessões terminaram.',
  },
  '{browser} on {system}': { fr: '{browser} sur {system}', pt: '{browser} em {system}' },
} as const satisfies Translated;
