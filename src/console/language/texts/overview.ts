import type { Translated } from './translations.ts';

/** Texts of the pages of overview. */
export const OVERVIEW = {
  Overview: { fr: 'Vue d’ensemble', pt: 'Visão geral' },
  'up to 1 day': { fr: 'jusqu’à 1 jour', pt: 'até 1 dia' },
  '2 to 7 days': { fr: '2 à 7 jours', pt: '2 a 7 dias' },
  '8 to 30 days': { fr: '8 à 30 jours', pt: '8 a 30 dias' },
  older: { fr: 'plus anciens', pt: 'mais antigos' },
  'In and out, by day': { fr: 'Entrées et sorties, par jour', pt: 'Entradas e saídas, por dia' },
  'Open escrows, by state and age': {
    fr: 'Séquestres ouverts, par état et ancienneté',
    pt: 'Custódias abertas, por estado e antiguidade',
  },
  'Disputes, by age': { fr: 'Litiges, par ancienneté', pt: 'Litígios, por antiguidade' },
  'No open dispute.': { fr: 'Aucun litige ouvert.', pt: 'Nenhum litígio aberto.' },
  'Open disputes by age': { fr: 'Litiges ouverts par ancienneté', pt: 'Litígios abertos por antiguidade' },
  Decide: { fr: 'Trancher', pt: 'Decidir' },
  'Payouts under way': { fr: 'Versements en cours', pt: 'Pagamentos em curso' },
  Follow: { fr: 'Suivre', pt: 'Acompanhar' },
  'Held in escrow': { fr: 'Retenu sous séquestre', pt: 'Retido em custódia' },
  'until it is released or goes back': {
    fr: 'jusqu’à libération ou restitution',
    pt: 'até ser libertado ou devolvido',
  },
  'on accounts of users and the company': {
    fr: 'sur les comptes des utilisateurs et de l’entreprise',
    pt: 'nas contas dos utilizadores e da empresa',
  },
  'reported, not settled by the bank': {
    fr: 'annoncé, pas encore réglé par la banque',
    pt: 'comunicado, ainda não liquidado pelo banco',
  },
  'Inflow and outflow by day, {currency}': {
    fr: 'Entrées et sorties par jour, {currency}',
    pt: 'Entradas e saídas por dia, {currency}',
  },
  In: { fr: 'Entrées', pt: 'Entradas' },
  Out: { fr: 'Sorties', pt: 'Saídas' },
  'No open escrow.': { fr: 'Aucun séquestre ouvert.', pt: 'Nenhuma custódia aberta.' },
  'Open escrows by age and state': {
    fr: 'Séquestres ouverts par ancienneté et état',
    pt: 'Custódias abertas por antiguidade e estado',
  },
  'Amount with tax': { fr: 'Montant, taxes comprises', pt: 'Montante com impostos' },
} as const satisfies Translated;
