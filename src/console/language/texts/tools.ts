import type { Translated } from './translations.ts';

/** Texts of search, events, the test clock, the choice of a company, and the password. */
export const TOOLS = {
  'Everything that happened, in the order in which webhooks get it. Without a filter: the last 24 hours.': {
    fr: 'Tout ce qui s’est passé, dans l’ordre où les webhooks le reçoivent. Sans filtre : les dernières 24 heures.',
    pt: 'Tudo o que aconteceu, pela ordem em que os webhooks o recebem. Sem filtro: as últimas 24 horas.',
  },
  'About the object': { fr: 'Au sujet de l’objet', pt: 'Sobre o objeto' },
  'No events': { fr: 'Aucun événement', pt: 'Sem eventos' },
  'Nothing happened in the last 24 hours.': {
    fr: 'Rien ne s’est passé au cours des dernières 24 heures.',
    pt: 'Nada aconteceu nas últimas 24 horas.',
  },
  'As it is sent to webhooks': { fr: 'Tel qu’il est envoyé aux webhooks', pt: 'Tal como é enviado aos webhooks' },
  Search: { fr: 'Rechercher', pt: 'Procurar' },
  'Type an id, a reference, an invoice number, a phone number, an e-mail, a national id or a name. The key / leads to the field.':
    {
      fr: 'Saisissez un identifiant, une référence, un numéro de facture, un téléphone, un e-mail, un numéro d’identité ou un nom. La touche / mène au champ.',
      pt: 'Escreva um identificador, uma referência, um número de fatura, um telefone, um e-mail, um número de identificação ou um nome. A tecla / leva ao campo.',
    },
  'Search: {words}': { fr: 'Recherche : {words}', pt: 'Procura: {words}' },
  'Nothing found': { fr: 'Aucun résultat trouvé', pt: 'Nada encontrado' },
  'References have to be whole. Names and phone numbers may be parts.': {
    fr: 'Les références doivent être complètes. Les noms et numéros de téléphone peuvent être partiels.',
    pt: 'As referências têm de estar completas. Os nomes e números de telefone podem ser parciais.',
  },
  'Act for a company': { fr: 'Agir pour une entreprise', pt: 'Atuar por uma empresa' },
  'Company id': { fr: 'Identifiant de l’entreprise', pt: 'Identificador da empresa' },
  'All pages then show this company, and its audit log records everything you do. Empty: your own company.': {
    fr: 'Toutes les pages montrent alors cette entreprise, et son journal d’audit enregistre tout ce que vous faites. Vide : votre propre entreprise.',
    pt: 'Todas as páginas mostram então esta empresa, e o seu registo de auditoria regista tudo o que fizer. Vazio: a sua própria empresa.',
  },
  'Act for this company': { fr: 'Agir pour cette entreprise', pt: 'Atuar por esta empresa' },
  'Find a company by its name': { fr: 'Trouver une entreprise par son nom', pt: 'Encontrar uma empresa pelo nome' },
  'The pages show your own company again.': {
    fr: 'Les pages montrent de nouveau votre propre entreprise.',
    pt: 'As páginas mostram de novo a sua própria empresa.',
  },
  'Form of another company': { fr: 'Formulaire d’une autre entreprise', pt: 'Formulário de outra empresa' },
  'The form belongs to {company} and acts for that company only. Your entries are kept.': {
    fr: 'Le formulaire a été ouvert pour {company}. Il n’est exécuté pour aucune autre entreprise. Votre saisie est conservée.',
    pt: 'O formulário foi aberto para {company}. Não é executado para nenhuma outra empresa. O que escreveu foi guardado.',
  },
  'Act for {company} and show the form again': {
    fr: 'Agir pour {company} et afficher à nouveau le formulaire',
    pt: 'Atuar por {company} e mostrar de novo o formulário',
  },
  'You act for {company}.': { fr: 'Vous agissez pour {company}.', pt: 'Está a atuar por {company}.' },
  'Now you act for {company}': {
    fr: 'Vous agissez actuellement pour {company}',
    pt: 'Está agora a atuar por {company}',
  },
  'You will act for {company}.': { fr: 'Vous agirez pour {company}.', pt: 'Vai atuar por {company}.' },
  'Test clock': { fr: 'Horloge de test', pt: 'Relógio de teste' },
  'Deadlines of escrows, links, withdrawals and proposals follow the company’s time. The ledger and the audit log keep real time.':
    {
      fr: 'Les échéances des séquestres, liens, retraits et propositions suivent l’heure de l’entreprise. Le grand livre et le journal d’audit gardent l’heure réelle.',
      pt: 'Os prazos das custódias, links, levantamentos e propostas seguem a hora da empresa. O livro-razão e o registo de auditoria mantêm a hora real.',
    },
  'The company’s time': { fr: 'L’heure de l’entreprise', pt: 'A hora da empresa' },
  'Real time': { fr: 'Heure réelle', pt: 'Hora real' },
  'Ahead by': { fr: 'En avance de', pt: 'Adiantada' },
  'Move the time forward': { fr: 'Avancer l’heure', pt: 'Avançar a hora' },
  'Everything that is due by then happens now: releases, expiries, lapsed proposals. Time never moves back.': {
    fr: 'Tout ce qui est échu d’ici là a lieu maintenant : libérations, expirations, propositions caduques. L’heure ne recule jamais.',
    pt: 'Tudo o que vence até lá acontece agora: libertações, expirações, propostas caducadas. A hora nunca recua.',
  },
  'Move the time': { fr: 'Avancer l’heure maintenant', pt: 'Avançar a hora agora' },
  '{runs, plural, one {The company’s time is {time}. # run was notified.} other {The company’s time is {time}. # runs were notified.}}':
    {
      fr: '{runs, plural, one {L’heure de l’entreprise est {time}. # exécution a été prévenue.} other {L’heure de l’entreprise est {time}. # exécutions ont été prévenues.}}',
      pt: '{runs, plural, one {A hora da empresa é {time}. # execução foi avisada.} other {A hora da empresa é {time}. # execuções foram avisadas.}}',
    },
  'Change your password': { fr: 'Changer votre mot de passe', pt: 'Alterar a sua palavra-passe' },
  'Your password is temporary. Choose your own before you go on.': {
    fr: 'Votre mot de passe est provisoire. Choisissez le vôtre avant de continuer.',
    pt: 'A sua palavra-passe é temporária. Escolha a sua antes de continuar.',
  },
  'All your other sessions end when the password changes.': {
    fr: 'Toutes vos autres sessions se terminent quand le mot de passe change.',
    pt: 'Todas as suas outras sessões terminam quando a palavra-passe muda.',
  },
  'Change the password': { fr: 'Changer le mot de passe', pt: 'Alterar a palavra-passe' },
  'Current password': { fr: 'Mot de passe actuel', pt: 'Palavra-passe atual' },
  'New password': { fr: 'Nouveau mot de passe', pt: 'Nova palavra-passe' },
  'New password again': { fr: 'Nouveau mot de passe, à nouveau', pt: 'Nova palavra-passe, de novo' },
  'The new passwords do not match.': {
    fr: 'Les deux nouveaux mots de passe sont différents.',
    pt: 'As duas novas palavras-passe são diferentes.',
  },
  'Your password is changed. All other sessions have ended.': {
    fr: 'Votre mot de passe a été changé. Toutes les autres sessions sont terminées.',
    pt: 'A sua palavra-passe foi alterada. Todas as outras sessões terminaram.',
  },
  'Shown once': { fr: 'Affiché une seule fois', pt: 'Mostrado uma única vez' },
  'Copy it now: it is not shown again, and nobody can look it up.': {
    fr: 'Copiez-le maintenant : il ne sera plus affiché, et personne ne peut le retrouver.',
    pt: 'Copie-o agora: não volta a ser mostrado, e ninguém o pode consultar.',
  },
  'the secret': { fr: 'le secret', pt: 'o segredo' },
  'I have copied it': { fr: 'Je l’ai copié', pt: 'Já o copiei' },
  'The test clock is {span} ahead': {
    fr: 'L’horloge d’essai avance de {span}',
    pt: 'O relógio de testes está adiantado {span}',
  },
  'The form belongs to {company} and acts for that company only. Choose the file again there.': {
    fr: 'Le formulaire appartient à {company} et n’agit que pour cette entreprise. Choisissez-y de nouveau le fichier.',
    pt: 'O formulário pertence a {company} e só atua por essa empresa. Escolha lá de novo o ficheiro.',
  },
} as const satisfies Translated;
